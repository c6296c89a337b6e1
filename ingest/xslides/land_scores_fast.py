"""The fast lane of judgments: clean files are parsed by DuckDB, all others row by row.

Nothing is looser here. A file takes this lane only when its bytes show none of the things
that the two parsers read differently, and when every row of it is typed, keyed and valid;
one doubt sends the whole file to `land_scores.read_scores`, which names what is wrong.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from ingest.xslides.land_banks import BankInfo
from ingest.xslides.land_fields import FileReader
from ingest.xslides.land_scores import SCORES_FILE, EvaluationIds
from warehouse.contracts.xslides import JUDGMENT_STATUSES, PROBE_SCORES, VERDICTS
from warehouse.identity import ORDINAL_BITS

# What DuckDB reads otherwise than a strict parser: trailing commas, NaN, text for numbers,
# numbers beyond 64 bits or a double, lone surrogates. Each pattern starts with a literal,
# which makes the search fast, and its quantifiers are possessive, so that no space can hide
# a value. Numbers inside lists are not looked at: a row with a list takes the slow lane.
_DOUBTS = tuple(
    re.compile(pattern)
    for pattern in (
        rb'"probe_id"\s*+:\s*+(?!")',
        rb'"verdict"\s*+:\s*+(?!")',
        rb'"judgment_status"\s*+:\s*+(?!")',
        rb'"answer"\s*+:\s*+(?!"|null)',
        rb'"cited_evidence"\s*+:\s*+(?!"|null)',
        rb'"covered"\s*+:\s*+(?!true|false)',
        rb'"confidence"\s*+:\s*+(?![-0-9])',
        rb'"metadata"\s*+:\s*+(?!\{)',
        rb'"_[fl]"',
        rb",\s*+[}\]]",
        rb":\s*+[-+]?(?:[Nn]a[Nn]|[Nn][Aa][Nn]|[Ii][Nn][Ff])",
        rb":\s*+-?[0-9]{19}",
        rb":\s*+-?[0-9.]++[eE][-+]?[0-9]{3}",
        rb"\\u(?:[dD][89abAB]|0000)",
        rb"\r(?!\n)",
    )
)
_CONTROL_CHARACTERS = bytes(one for one in range(32) if one not in b"\n\r")
_COLUMNS = (
    "{_f: 'INTEGER', _l: 'BIGINT', probe_id: 'VARCHAR', covered: 'BOOLEAN', "
    "answer: 'VARCHAR', cited_evidence: 'VARCHAR', confidence: 'DOUBLE', metadata: 'JSON'}"
)
_PARSED = f"""
create temp table parsed as
with lines as (
    select *,
        json_extract(metadata, ['$.verdict', '$.confidence', '$.judgment_status']) as stated,
        json_keys(metadata) as names
    from read_json(?, format = 'newline_delimited', columns = {_COLUMNS})
),
typed as (
    select
        lines.* exclude (stated, names),
        coalesce(lines.confidence, cast(stated[2] as double)) as any_confidence,
        coalesce(stated[1] ->> '$', case when covered then 'covered' else 'uncovered' end)
            as verdict,
        stated[3] ->> '$' as stated_status,
        banks.ordinal,
        files.is_plain,
        case
            -- Only names beyond the known ones can stand twice here.
            when len(names) > len(list_filter(stated, lambda one: one is not null))
                then len(list_distinct(names)) <> len(names)
            else false
        end
        or contains(substr(cast(metadata as varchar), 2), '{{')
        or contains(cast(metadata as varchar), '[') as is_nested
    from lines
    inner join files on lines._f = files._f
    left join banks
        on files.bank = banks.bank and lines.probe_id = banks.probe_id
)
select *,
    coalesce(
        stated_status,
        case when any_confidence = 0 and not covered then 'filled' else 'judged' end
    ) as judgment_status
from typed
"""
# All that Python takes for white space and SQL's trim does not.
_BLANKS = "' ' || chr(133) || chr(160) || chr(5760) || chr(8232) || chr(8233) || chr(8239) || " + (
    " || ".join(f"chr({code})" for code in (*range(8192, 8203), 8287, 12288))
)
_DOUBTFUL = f"""
select distinct _f from (
    select _f,
        coalesce(
            probe_id is null or trim(probe_id) = '' or covered is null or ordinal is null
            or is_nested or not isfinite(coalesce(any_confidence, 0))
            or verdict not in {VERDICTS} or judgment_status not in {JUDGMENT_STATUSES}
            or (verdict = 'covered') <> covered
            or case
                when is_plain then false
                else trim(coalesce(answer, 'x'), {_BLANKS}) = ''
                    and trim(coalesce(answer, '')) <> ''
                    or trim(coalesce(cited_evidence, 'x'), {_BLANKS}) = ''
                    and trim(coalesce(cited_evidence, '')) <> ''
            end,
            true
        ) or count(*) over (partition by _f, ordinal) > 1 as is_doubtful
    from parsed
) where is_doubtful
"""
_LANDED = f"""
select
    files.evaluation_key,
    files.weight_set_key * {2**ORDINAL_BITS} + parsed.ordinal as weight_key,
    files.evaluation_id,
    files.bank_id,
    parsed.probe_id,
    parsed.covered,
    parsed.verdict,
    parsed.judgment_status,
    parsed.any_confidence as confidence,
    case when trim(parsed.answer) <> '' then parsed.answer end as answer,
    case when trim(parsed.cited_evidence) <> '' then parsed.cited_evidence end
        as cited_evidence,
    case when cast(parsed.metadata as varchar) <> '{{}}' then cast(parsed.metadata as varchar) end
        as metadata,
    files.source_file,
    parsed._l as source_line
from parsed
inner join files on parsed._f = files._f
where parsed._f not in (select unnest(?))
"""


@dataclass(frozen=True)
class ScoreFile:
    """The judgments of one evaluation that has a probe bank."""

    folder: Path
    ids: EvaluationIds
    bank: BankInfo

    @property
    def path(self) -> Path:
        """Return the file of judgments."""
        return self.folder / SCORES_FILE


def read_clean(reader: FileReader, files: Sequence[ScoreFile]) -> tuple[pa.Table, list[ScoreFile]]:
    """Return the rows of all clean files, and the files left for the slow lane.

    Args:
        reader: gives paths relative to the data root.
        files: score files of one system and condition; absent ones give no rows.
    """
    slow: list[ScoreFile] = []
    fast: list[ScoreFile] = []
    plain: list[bool] = []
    with tempfile.TemporaryDirectory(prefix="podium-scores-") as folder:
        joined = Path(folder) / "scores.jsonl"
        with joined.open("wb") as target:
            for one in files:
                if not one.path.is_file():
                    continue
                content = _clean_content(one.path)
                lines = None if content is None else _numbered_lines(content, len(fast))
                if content is None or lines is None:
                    slow.append(one)
                elif lines:
                    target.writelines(lines)
                    fast.append(one)
                    # Without other characters and escapes, blank means ASCII blanks alone.
                    plain.append(content.isascii() and b"\\u" not in content)
        if not fast:
            return PROBE_SCORES.schema.empty_table(), slow
        try:
            table, doubtful = _parse(joined, fast, plain, reader)
        except duckdb.Error:
            # Some line is malformed in a way that the bytes did not show.
            return PROBE_SCORES.schema.empty_table(), [*slow, *fast]
    return table, [*slow, *(fast[index] for index in doubtful)]


def _clean_content(path: Path) -> bytes | None:
    """Return the bytes of a file that shows nothing the parsers read differently, else None."""
    try:
        content = path.read_bytes()
        content.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if content.startswith(b"\xef\xbb\xbf") or any(one.search(content) for one in _DOUBTS):
        return None
    if len(content.translate(None, _CONTROL_CHARACTERS)) != len(content):
        return None
    return content


def _numbered_lines(content: bytes, index: int) -> list[bytes] | None:
    """Return the lines with file and line number put in front, None if one is no object."""
    lines = []
    for number, raw in enumerate(content.split(b"\n"), start=1):
        line = raw.strip()
        if line:
            if not (line.startswith(b'{"') and line.endswith(b"}")):
                return None
            lines.append(b'{"_f":%d,"_l":%d,%b\n' % (index, number, line[1:]))
    return lines


def _parse(
    joined: Path, files: list[ScoreFile], plain: list[bool], reader: FileReader
) -> tuple[pa.Table, list[int]]:
    with duckdb.connect() as connection:
        connection.execute("set threads = 2")
        connection.register("files", _file_table(files, plain, reader))
        connection.register("banks", _bank_table(files))
        connection.execute(_PARSED, [str(joined)])
        doubtful = sorted(index for (index,) in connection.execute(_DOUBTFUL).fetchall())
        table = connection.sql(_LANDED, params=[doubtful]).to_arrow_table()
    return table.cast(PROBE_SCORES.schema), doubtful


def _file_table(files: list[ScoreFile], plain: list[bool], reader: FileReader) -> pa.Table:
    banks = _bank_numbers(files)
    return pa.table(
        {
            "_f": pa.array(range(len(files)), pa.int32()),
            "bank": pa.array([banks[one.bank.bank_id] for one in files], pa.int32()),
            "is_plain": pa.array(plain, pa.bool_()),
            "bank_id": pa.array([one.bank.bank_id for one in files], pa.string()),
            "evaluation_key": pa.array([one.ids.evaluation_key for one in files], pa.int64()),
            "evaluation_id": pa.array([one.ids.evaluation_id for one in files], pa.string()),
            "weight_set_key": pa.array([one.ids.weight_set_key for one in files], pa.int64()),
            "source_file": pa.array([reader.relative(one.path) for one in files], pa.string()),
        }
    )


def _bank_table(files: list[ScoreFile]) -> pa.Table:
    numbers = _bank_numbers(files)
    ordinals = {one.bank.bank_id: one.bank.ordinals for one in files}
    rows = [
        (numbers[bank_id], probe_id, ordinal)
        for bank_id, probes in ordinals.items()
        for probe_id, ordinal in probes.items()
    ]
    return pa.table(
        {
            "bank": pa.array([row[0] for row in rows], pa.int32()),
            "probe_id": pa.array([row[1] for row in rows], pa.string()),
            "ordinal": pa.array([row[2] for row in rows], pa.int64()),
        }
    )


def _bank_numbers(files: list[ScoreFile]) -> dict[str, int]:
    unique = dict.fromkeys(one.bank.bank_id for one in files)
    return {bank_id: index for index, bank_id in enumerate(unique)}
