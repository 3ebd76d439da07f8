"""Our tokens are those of the library `tokenizers`, and stand where it says they stand."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphtalk.language.wordpiece import BEGIN, END, UNKNOWN, WordPiece, wordpiece

tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
# Of scripts that Unicode added since 2016 the library knows neither the accents nor the signs.
LETTERS = st.text(st.one_of(st.characters(max_codepoint=0x04FF, exclude_categories=["Cs"]), st.sampled_from(
    "aeiouß İıǅÉéŝǘ Σσς 中文字 한글 ﬃ ½ “quoted” — … € ₂ \t\n\r\0\x0b\x85\u00a0\u200b\u2028\u3000\ufeff\ufffd 🙂 ½_-'$^`~"
)))  # fmt: skip


@pytest.fixture(scope="module")
def library() -> Any:
    from tokenizers import models, normalizers, pre_tokenizers, processors

    vocabulary = dict(wordpiece()._ids)
    found = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    found.normalizer = normalizers.BertNormalizer()
    found.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    found.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", "[CLS] $A [SEP] $B [SEP]", [("[CLS]", BEGIN), ("[SEP]", END)]
    )
    return found


@settings(max_examples=400, deadline=None)
@given(LETTERS, LETTERS)
def test_any_text_has_the_tokens_of_the_library(library: Any, first: str, second: str) -> None:
    ours, theirs = wordpiece().encode(first), library.encode(first)
    assert (ours.ids, ours.offsets) == (theirs.ids, theirs.offsets)
    assert wordpiece().ids(first) == theirs.ids
    assert wordpiece().ids(first, second) == library.encode(first, second).ids


@pytest.mark.parametrize(
    "text", ["x" * 100, "x" * 101, "unbelievableness", "ENSG00000141510", "naïve Café", "日本"]
)
def test_long_and_foreign_words(library: Any, text: str) -> None:
    assert wordpiece().encode(text).ids == library.encode(text).ids
    assert wordpiece().encode(text).offsets == library.encode(text).offsets


def test_a_word_that_no_pieces_make_is_unknown_as_a_whole() -> None:
    small = WordPiece([*map(str, range(103)), "un", "##do"])
    assert small.tokens("undo") == [103, 104] and small.tokens("redo undone") == [UNKNOWN, UNKNOWN]
    assert small.encode("undo redo").offsets == [(0, 0), (0, 2), (2, 4), (5, 9), (0, 0)]


def test_lone_surrogates_and_marks_of_the_network_are_only_text() -> None:
    assert wordpiece().ids("a\ud800b") == wordpiece().ids("ab")
    assert END not in wordpiece().tokens("[SEP]")
