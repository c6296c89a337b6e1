"""The fast lane of judgments: clean files are parsed in bulk, all others row by row.

Nothing is looser here. A file takes this lane only when every line of it belongs to the
strict language of `score_grammar`, when no key stands twice, and when every row is typed,
keyed and valid; one doubt sends the whole file to `land_scores.read_scores`, which names
what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ingest.land_fields import FileReader
from ingest.xslides.land_banks import BankInfo
from ingest.xslides.land_scores import SCORES_FILE, EvaluationIds
from ingest.xslides.score_grammar import BLANK_LINE, CLEAN_LINE, ORDERED_LINE, REPEATED_FIELD
from warehouse.contracts.xslides import (
    JUDGMENT_STATUSES,
    PROBE_SCORES,
    REPEATS_MAX,
    REPEATS_MIN,
    VERDICTS,
)
from warehouse.identity import ORDINAL_BITS
from warehouse.landing import repeated

Flags = np.ndarray[tuple[int], np.dtype[np.bool_]]

# Bytes parsed at once: bounds the memory, and keeps offsets in 32 bits.
BATCH_BYTES = 64 * 1024 * 1024
_FIELDS = (
    '{"probe_id": "VARCHAR", "covered": "BOOLEAN", "answer": "VARCHAR", '
    '"cited_evidence": "VARCHAR", "confidence": "DOUBLE", "metadata": "JSON"}'
)
# Confidence stays JSON here, because a cast would take "0.9" for a number.
_STATED = (
    '{"verdict": "VARCHAR", "judgment_status": "VARCHAR", "confidence": "JSON", "repeats": "JSON"}'
)
_ROWS = f"""
with fields as (
    select lines.file_index, lines.line_number, lines.bank,
        from_json(lines.line, '{_FIELDS}') as field
    from lines
),
stated as (
    select *, from_json(field.metadata, '{_STATED}') as stated from fields
),
typed as (
    select *,
        nullif(cast(stated.confidence as varchar), 'null') as stated_confidence,
        coalesce(field.confidence, try_cast(stated_confidence as double)) as any_confidence,
        coalesce(stated.verdict, case when field.covered then 'covered' else 'uncovered' end)
            as verdict,
        coalesce(
            stated.judgment_status,
            case when any_confidence = 0 and not field.covered then 'filled' else 'judged' end
        ) as judgment_status,
        nullif(cast(stated.repeats as varchar), 'null') as stated_repeats,
        list_transform(
            from_json(stated_repeats, '[{{"verdict": "VARCHAR"}}]'), lambda one: one.verdict
        ) as repeat_verdicts
    from stated
)
select
    typed.file_index,
    typed.line_number,
    banks.ordinal,
    typed.field.probe_id as probe_id,
    typed.field.covered as covered,
    typed.verdict,
    typed.judgment_status,
    typed.any_confidence as confidence,
    nullif(typed.field.answer, '') as answer,
    nullif(typed.field.cited_evidence, '') as cited_evidence,
    nullif(cast(typed.field.metadata as varchar), '{{}}') as metadata,
    typed.repeat_verdicts,
    coalesce(
        banks.ordinal is null or typed.field.probe_id is null or typed.field.covered is null
        or typed.any_confidence is null and typed.stated_confidence is not null
        or typed.verdict not in {VERDICTS} or typed.judgment_status not in {JUDGMENT_STATUSES}
        or (typed.verdict = 'covered') <> typed.field.covered
        or typed.stated_repeats is not null and (
            typed.repeat_verdicts is null
            or len(typed.repeat_verdicts) not between {REPEATS_MIN} and {REPEATS_MAX}
            or typed.repeat_verdicts[1] is distinct from
                case when typed.judgment_status = 'judged' then typed.verdict end
        ),
        true
    ) as is_doubtful
from typed
left join banks on typed.bank = banks.bank and typed.field.probe_id = banks.probe_id
"""
# Parsers keep the first of two equal keys.
_REPEATED_KEYS = """
select metadata from texts where len(list_distinct(json_keys(metadata))) <> len(json_keys(metadata))
"""


@dataclass(frozen=True)
class ScoreFile:
    """The judgments of one evaluation that has a probe bank."""

    folder: Path
    ids: EvaluationIds
    bank: BankInfo


def read_clean(reader: FileReader, files: Sequence[ScoreFile]) -> tuple[pa.Table, list[ScoreFile]]:
    """Return the rows of all clean files, and the files left for the slow lane.

    Args:
        reader: gives paths relative to the data root.
        files: score files of one system and condition; absent ones give no rows.
    """
    slow: list[ScoreFile] = []
    tables = [PROBE_SCORES.schema.empty_table()]
    for batch in _batches(sorted(files, key=lambda one: one.ids.evaluation_key), slow):
        table, doubtful = _parse(batch, reader)
        tables.append(table)
        slow += doubtful
    return pa.concat_tables(tables), slow


@dataclass(frozen=True)
class _Batch:
    """Files and their lines: text, index of the file, 1-based number in it."""

    files: list[ScoreFile]
    lines: pa.Table


def _batches(files: Sequence[ScoreFile], slow: list[ScoreFile]) -> Iterator[_Batch]:
    """Yield files in batches of bounded size; what cannot be read as text goes to `slow`."""
    taken: list[ScoreFile] = []
    contents: list[bytes] = []
    size = 0
    for one in files:
        try:
            # Strings and not paths: thousands of them are made, and each is used once.
            with open(f"{one.folder}/{SCORES_FILE}", "rb", buffering=0) as source:  # noqa: PTH123
                content = source.read()
            if not content.isascii():
                content.decode("utf-8")
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError):
            slow.append(one)
            continue
        if len(content) > BATCH_BYTES:
            slow.append(one)
            continue
        if size + len(content) > BATCH_BYTES and taken:
            yield from _clean_batch(taken, contents, slow)
            taken, contents, size = [], [], 0
        taken.append(one)
        contents.append(content if content.endswith(b"\n") or not content else content + b"\n")
        size += len(contents[-1])
    if taken:
        yield from _clean_batch(taken, contents, slow)


def _clean_batch(
    files: list[ScoreFile], contents: list[bytes], slow: list[ScoreFile]
) -> Iterator[_Batch]:
    """Yield the files whose lines are all of the clean language; the others go to `slow`."""
    joined = b"".join(contents)
    ends = np.flatnonzero(np.frombuffer(joined, np.uint8) == ord("\n")) + 1
    offsets = np.concatenate(([0], ends)).astype(np.int32)
    lines = pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(joined))
    first = np.searchsorted(ends, np.cumsum([0, *map(len, contents)]), side="right")
    counts = np.diff(first)
    file_index = np.repeat(np.arange(len(files)), counts)
    number = np.arange(len(ends)) - first[file_index] + 1
    is_clean = _is_clean(lines)
    if not is_clean.all():
        is_blank = _matches(lines, BLANK_LINE)
        dirty = np.unique(file_index[~is_clean & ~is_blank])
        slow += [files[index] for index in dirty]
        kept = is_clean & ~np.isin(file_index, dirty)
        lines, file_index, number = lines.filter(pa.array(kept)), file_index[kept], number[kept]
    if len(lines):
        columns = {"line": lines, "file_index": file_index, "line_number": number}
        yield _Batch(files, pa.table(columns))


def _is_clean(lines: pa.StringArray) -> Flags:
    """Return for each line whether it is clean; those in the usual order take one pass."""
    is_clean = _matches(lines, ORDERED_LINE)
    if not is_clean.all():
        rest = lines.filter(pa.array(~is_clean))
        is_clean[~is_clean] = _matches(rest, CLEAN_LINE) & ~_matches(rest, REPEATED_FIELD)
    return is_clean


def _matches(lines: pa.StringArray, pattern: str) -> Flags:
    return np.array(pc.match_substring_regex(lines, pattern), np.bool_)


def _parse(batch: _Batch, reader: FileReader) -> tuple[pa.Table, list[ScoreFile]]:
    """Return the rows of all files without a doubt, and the files with one."""
    numbers = _bank_numbers(batch.files)
    bank = np.array([numbers[one.bank.bank_id] for one in batch.files], np.int32)
    lines = batch.lines.append_column("bank", pa.array(bank[batch.lines["file_index"]]))
    with duckdb.connect() as connection:
        connection.execute("set threads = 2")
        connection.register("lines", lines)
        connection.register("banks", _bank_table(batch.files, numbers))
        found = connection.sql(_ROWS).to_arrow_table()
        doubtful = set(found.filter(found["is_doubtful"])["file_index"].to_pylist())
        connection.register("texts", pa.table({"metadata": pc.unique(found["metadata"])}))
        repeated_keys = connection.sql(_REPEATED_KEYS).to_arrow_table()["metadata"]
    if len(repeated_keys):
        odd = pc.is_in(found["metadata"], value_set=repeated_keys)
        doubtful |= set(found.filter(odd)["file_index"].to_pylist())
    # A probe that is judged twice is a doubt as well: all its copies are set aside there.
    doubtful |= set(repeated(found, ["file_index", "probe_id"])["file_index"].to_pylist())
    if doubtful:
        sound = ~np.isin(found["file_index"].to_numpy(), sorted(doubtful))
        found = found.filter(pa.array(sound))
    return _landed(found, batch.files, reader), [batch.files[index] for index in sorted(doubtful)]


def _landed(found: pa.Table, files: list[ScoreFile], reader: FileReader) -> pa.Table:
    """Return parsed rows with all columns of the contract."""
    index = found["file_index"].combine_chunks()

    def of_file(values: list[Any], kind: pa.DataType) -> pa.Array:
        return pa.array(values, kind).take(index)

    weight_sets = of_file([one.ids.weight_set_key for one in files], pa.int64())
    columns = {
        **{name: found[name] for name in PROBE_SCORES.names if name in found.column_names},
        "evaluation_key": of_file([one.ids.evaluation_key for one in files], pa.int64()),
        "evaluation_id": of_file([one.ids.evaluation_id for one in files], pa.string()),
        "bank_id": of_file([one.bank.bank_id for one in files], pa.string()),
        "source_file": of_file(
            [f"{reader.relative(one.folder)}/{SCORES_FILE}" for one in files], pa.string()
        ),
        "source_line": found["line_number"],
        "weight_key": pc.add(pc.multiply(weight_sets, 2**ORDINAL_BITS), found["ordinal"]),
    }
    table = pa.table({name: columns[name] for name in PROBE_SCORES.names})
    return table.cast(PROBE_SCORES.schema)


def _bank_table(files: list[ScoreFile], numbers: dict[str, int]) -> pa.Table:
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
