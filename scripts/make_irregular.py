"""Makes `language/irregular.txt`: the past forms of common English verbs whose stem is not that of the verb.

    .venv/bin/python scripts/make_irregular.py

Forms are lemminflect's (MIT; from the NIH SPECIALIST Lexicon), of WordNet's verbs and the words of the tokeniser's
vocabulary. What is a noun too stays out: a rose is no rising. A line is a verb and its forms.
"""

from pathlib import Path

from lemminflect import getAllLemmas, getInflection
from Stemmer import Stemmer

from graphtalk.language.dictionary import verbs
from graphtalk.language.wordpiece import wordpiece

OUT = Path(__file__).parents[1] / "src/graphtalk/language/irregular.txt"
HEADER = "# Irregular past forms of verbs, by scripts/make_irregular.py from lemminflect (MIT).\n"
OTHERS = frozenset("will can shall may have programme".split())  # verbs that mean little; another spelling
REGULAR = ("ing", "es", "eed", "ied")


def main() -> None:
    """Write the file."""
    stemmer = Stemmer("english", 0)
    common = {w for w in wordpiece().words(30_000) if w.isascii() and w.isalpha() and len(w) > 2}
    known = {v for v in verbs() if len(v) > 2} | common
    past = {
        form
        for verb in known
        for tag in ("VBD", "VBN")
        for form in getInflection(verb, tag, inflect_oov=False)
    }
    forms: dict[str, list[str]] = {}
    for word in sorted(common | {w for w in past if w.isascii() and w.isalpha()}):
        lemmas = getAllLemmas(word)
        of = [v for v in lemmas.get("VERB", ()) if v in known - {word} and v not in OTHERS]
        apart = len(of) == 1 and stemmer.stemWord(of[0]) != stemmer.stemWord(word)
        rare = word not in common and word.endswith("ed") and bool(of) and word.startswith(of[0][:-1])
        ruled = rare or word.endswith(REGULAR)
        if apart and word not in lemmas.get("NOUN", ()) and not ruled:
            forms.setdefault(of[0], []).append(word)
    lines = (f"{verb} {' '.join(sorted(own))}\n" for verb, own in sorted(forms.items()))
    OUT.write_text(HEADER + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
