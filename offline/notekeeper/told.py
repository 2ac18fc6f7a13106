"""Whether a short text tells something, as "The key hangs behind the boiler.", or is said to somebody: an order,
thanks, a greeting, a word between. In the languages of topics.py."""

from __future__ import annotations

import re

from offline.notekeeper.extract import COMMON

# Any verb of an order may stand before "the" or "my". In a sentence that tells something, what stands there is one of
# the commonest words, of these, or a word for what was done.
_BEFORE = """
beside inside outside beneath near without paid bought sold lent sent met hinter unter neben vor über ohne seit bis
durch wegen wenn weil aber oder während gegen um an im alle heute morgen gestern dans sur sous derrière devant avec
sans pour par après avant depuis pendant chez entre tout toute tous toutes mais quand et en sobre bajo tras con sin
para por desde hasta según durante todo toda todos todas cuando pero
"""
BEFORE = frozenset(_BEFORE.split()) | COMMON
_VERB = re.compile(
    r"\W*([\w']+)\s+(?:the|an?|my|our|your|this|that|these|those|some|any|it|der|die|das|den|dem|eine?n?|meine?n?"
    r"|unsere?n?|le|la|les|une?|mon|ma|mes|notre|nos|des|el|los|las|un[oa]|mis?|nuestr[oa]s?)\b",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"^\W*(?:don'?t|do not|never|ok(?:ay)?|h+m+|na|nie|ne|thanks?(?! to)|thx|hello|hi|hey|good (?:morning|day)"
    r"|good evening|bye|danke|vielen dank|hallo|guten|tschüss|merci|bonjour|bonsoir|salut|(?:muchas )?gracias|hola"
    r"|buen[oa]s|спасибо|привет|здравствуй(?:те)?|добр(?:ый|ое)|tell|send|translate|give|explain|describe|remind|ask|help|let|say"
    r"|stop|bring|buy|get|set|forward|cancel|suggest|calculate|put|take|keep|use|go|look|leave|start|make"
    r"|(?:turn|switch)\s+o(?:n|ff)|\w+[ -](?:me|us|mir|uns|moi)|(?:di|da|cuénta|muéstra|env[ií]a|explica|haz)(?:me)?"
    r"|(?:gib|zeig|mach|schreib|schick|sag|erzähl|übersetz|öffn|schließ|schalt|stell|lösch|ruf|hol|bestell|kauf|hilf)e?"
    r"|dis|donne|montre|raconte|traduis|envoie|écris|ouvre|ferme|allume|éteins|cherche|appelle|achète|lis|explique|fais"
    r"|manda|traduce|escribe|abre|cierra|apaga|enciende|busca|borra|pon|(?:рас)?скажи|покажи|отправь|напиши|переведи"
    r"|открой|закрой|включи|выключи|найди|позвони|напомни|дай|помоги|купи)\b"
    r"|\b(?:please|bitte|s'il (?:te|vous) pla[iî]t|por favor|пожалуйста)\b"
    r"|^(?:请|麻烦|帮我|给我|把|告诉我|别|感?谢|[你您]好)|(?:早上|晚上|大家)好"
    r"|(?:ください|下さい|なさい|お願いします|て)[。！!]?\s*$|ありがと|おはよう|こんにち|こんばん",
    re.IGNORECASE,
)


def tells(text: str) -> bool:
    """Whether the text tells something, and is not said to somebody."""
    verb = _VERB.match(text)
    ordered = verb and verb[1].casefold() not in BEFORE and not verb[1].endswith(("ed", "ing", "é", "ó"))
    return not ordered and not _SPOKEN.search(text)
