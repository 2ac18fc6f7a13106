"""The common wishes of German, French, Spanish and Russian speakers put into the English words that phrases.py reads,
and slips of the keyboard put right. Names, paths and examples stay as they are.
"""

from __future__ import annotations

import re

KEY_WORDS = (
    "fix",
    "repair",
    "correct",
    "program",
    "tests",
    "hint",
    "explain",
    "rename",
    "wrong",
    "please",
    "the",
    "bug",
)
PLAIN_WORDS = frozenset(
    ("test", "hit", "hints", "fixes", "repairs", "corrects", "programs", "tents", "renamed", "text")
)

# Words of one language: they tell which it is, and those with an English counterpart are replaced. The order counts.
GERMAN = (
    (r"(?:kannst|könntest|würdest|kannste) du", "can you"),
    (r"du (?:sollst|musst|kannst|darfst)", "you should"),
    (r"bitte", "please"),
    (r"mach,? (?:dass|so,? dass)|bring", "make"),
    (r"durchlaufen|bestehen|(?<=tests )zum laufen", "pass"),
    (r"behebe?n?|reparier(?:en?|e)?|korrigier(?:en?|e)?|beseitigen?|ausbessern|flicken?", "fix"),
    (r"ohne", "without"),
    (r"(?:zu )?(?:ver)?ändern?", "change"),
    (r"nichts", "nothing"),
    (r"nicht|keine?n?", "not"),
    (r"schlagen|schlägt", ""),
    (r"fehl", "fail"),
    (r"fehlers?|bugs?", "bug"),
    (r"warum|wieso|weshalb", "why"),
    (r"wie", "how"),
    (r"was macht", "what does"),
    (r"was", "what"),
    (r"welche[rsn]?", "which"),
    (r"wer", "who"),
    (r"wo", "where"),
    (r"ist", "is"),
    (r"gibt es", "are there"),
    (r"dieses|diese|dieser|diesen", "this"),
    (r"projekte?s?", "project"),
    (r"programms?", "program"),
    (r"dateien|datei", "files"),
    (r"falsch|kaputt", "wrong"),
    (r"richtig|korrekt", "right"),
    (r"sage?|nenne?", "tell"),
    (r"nur|bloß", "only"),
    (r"zeige?", "show"),
    (r"gib", "give"),
    (r"mir", "me"),
    (r"einen?|eine", "a"),
    (r"tipps?|hinweise?", "hint"),
    (r"erklär(?:en?|e)?", "explain"),
    (r"funktion", "function"),
    (r"führ(?:en?|e)?|starte", "run"),
    (r"benenne?n?", "rename"),
    (r"den|das|die|der", "the"),
)
FRENCH = (
    (r"qu['’]est-ce qui ne va pas|ce qui ne va pas", "what is wrong"),
    (r"(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|tu peux|vous pouvez", "can you"),
    (r"s['’]il (?:te|vous) pla[iî]t|svp|stp", "please"),
    (r"(?:fais|faites|fait) passer", "make pass"),
    (r"échouent(?:-ils)?|échoue(?:-t-il)?", "fail"),
    (r"corrige[rsz]?|corrigez|répare[rsz]?|réparez", "fix"),
    (r"sans", "without"),
    (r"(?:changer|modifier|toucher)", "change"),
    (r"rien", "nothing"),
    (r"ne|pas", "not"),
    (r"erreurs?|bogues?|bug", "bug"),
    (r"pourquoi", "why"),
    (r"comment", "how"),
    (r"que fait|qu['’]est-ce que fait", "what does"),
    (r"quel(?:le)?s?", "which"),
    (r"qui", "who"),
    (r"où", "where"),
    (r"est", "is"),
    (r"y a-t-il", "are there"),
    (r"ce|cet|cette", "this"),
    (r"projet", "project"),
    (r"programme", "program"),
    (r"fichiers?", "files"),
    (r"faux|fausse|cassé", "wrong"),
    (r"(?:dis|dites)(?:-moi)?", "tell me"),
    (r"seulement|juste", "only"),
    (r"montre[zr]?(?:-moi)?", "show me"),
    (r"donne[zr]?(?:-moi)?", "give me"),
    (r"une?", "a"),
    (r"indices?", "hint"),
    (r"explique[zr]?", "explain"),
    (r"fonction", "function"),
    (r"lance[zr]?|exécute[zr]?", "run"),
    (r"renomme[zr]?", "rename"),
    (r"le|la|les", "the"),
)
SPANISH = (
    (r"(?:puedes|podrías|puede|podría)", "can you"),
    (r"por favor", "please"),
    (r"haz que", "make"),
    (r"pasen", "pass"),
    (r"arr[eé]gl(?:a|ar|e|es|arías)(?:lo|la)?|corr(?:ige|egir|ijas|ija)|repar(?:a|ar|es)", "fix"),
    (r"sin", "without"),
    (r"(?:cambiar|modificar|tocar|cambies|toques)", "change"),
    (r"nada", "nothing"),
    (r"no", "not"),
    (r"fallan?", "fail"),
    (r"errore?s?|fallos?", "bug"),
    (r"por qué", "why"),
    (r"cómo", "how"),
    (r"qué hace", "what does"),
    (r"qué", "what"),
    (r"dónde", "where"),
    (r"quién", "who"),
    (r"está|es", "is"),
    (r"hay", "are there"),
    (r"este|esta|esto", "this"),
    (r"proyecto", "project"),
    (r"programa", "program"),
    (r"archivos?|ficheros?", "files"),
    (r"pruebas?", "tests"),
    (r"mal", "wrong"),
    (r"di(?:me)?", "tell me"),
    (r"solo|sólo", "only"),
    (r"mu[eé]stra(?:me)?", "show me"),
    (r"dame", "give me"),
    (r"una?", "a"),
    (r"pistas?", "hint"),
    (r"explica(?:r|me)?", "explain"),
    (r"función", "function"),
    (r"ejecuta(?:r)?|corre", "run"),
    (r"renombra(?:r)?", "rename"),
    (r"el|la|los|las", "the"),
)
RUSSIAN = (
    (r"(?:можешь|можете|мог(?:ла)? бы ты)(?: ли)?", "can you"),
    (r"пожалуйста", "please"),
    (r"сделай(?:те)?(?: так)?,? чтобы", "make"),
    (r"проходили|прошли", "pass"),
    (r"исправ(?:ь|ьте|ить|ляй|ляйте)|почини(?:те|ть)?|устрани(?:те|ть)?", "fix"),
    (r"без", "without"),
    (r"(?:меняй(?:те)?|изменяй(?:те)?|трогай(?:те)?|изменений)", "change"),
    (r"ничего", "nothing"),
    (r"что не так", "what is wrong"),
    (r"не", "not"),
    (r"падают|не проходят", "fail"),
    (r"ошибк[ауие]|баги?", "bug"),
    (r"почему", "why"),
    (r"как", "how"),
    (r"что делает", "what does"),
    (r"что", "what"),
    (r"каки[ех]", "which"),
    (r"где", "where"),
    (r"кто", "who"),
    (r"здесь", "here"),
    (r"эт(?:от|у|о|ой)", "this"),
    (r"проект", "project"),
    (r"программ[уыае]", "program"),
    (r"файлы?", "files"),
    (r"тесты?", "tests"),
    (r"скажи(?:те)?", "tell"),
    (r"просто|только", "only"),
    (r"покажи(?:те)?", "show"),
    (r"дай(?:те)?", "give a"),
    (r"подсказк[уа]", "hint"),
    (r"объясни(?:те|ть)?", "explain"),
    (r"функци[юяи]", "function"),
    (r"запусти(?:те)?", "run"),
    (r"переименуй(?:те)?", "rename"),
)
LANGUAGES = (GERMAN, FRENCH, SPANISH, RUSSIAN)
ENGLISH_TOO = frozenset(("was", "die", "comment", "no", "error", "errors", "den", "bug", "bugs", "programme", "sin",
                         "di", "hay", "el", "wo", "once", "juste", "bring", "mal"))  # fmt: skip


def in_english(text: str) -> str:
    """Return the prompt with the words of its language, and slips, put into English key words."""
    words = max(LANGUAGES, key=lambda language: len(told_by(language, text)))
    if told_by(words, text):
        text = re.sub(r"[¿¡]", "", re.sub(r"(?<!\w)l['’](?=\w)", "the ", text))
        for pattern, english in words:
            text = re.sub(word(pattern), english, text, flags=re.IGNORECASE)
        text = re.sub(r"[ \t]+", " ", text)
    return re.sub(r"(?<![\w.`\"'/-])[A-Za-z]{3,9}(?![\w.`\"'(/-])", lambda found: put_right(found[0]), text)


def told_by(language: tuple[tuple[str, str], ...], text: str) -> set[str]:
    """The words in a text that tell that it is of a language, and not English."""
    found = {match.lower() for pattern, _ in language for match in re.findall(word(pattern), text, re.IGNORECASE)}
    return found - ENGLISH_TOO


def word(pattern: str) -> str:
    return rf"(?<![\w.`\"'/])(?:{pattern})(?![\w`\"/(]|\.\w)"


def put_right(typed: str) -> str:
    """The key word that was meant, where a letter is missing, doubled, wrong or swapped with its neighbour. In short
    words a swap alone is put right: "six" is no "fix"."""
    lower = typed.lower()
    if lower in KEY_WORDS or lower in PLAIN_WORDS:
        return typed
    return next((key for key in KEY_WORDS if lower in slips(key)), typed)


def slips(key: str) -> set[str]:
    swapped = {key[:i] + key[i + 1] + key[i] + key[i + 2 :] for i in range(len(key) - 1)}
    if len(key) < 5:
        return swapped
    missing = {key[:i] + key[i + 1 :] for i in range(len(key))}
    doubled = {key[:i] + key[i] + key[i:] for i in range(len(key))}
    return swapped | missing | doubled
