"""The words of a line that name what it is about: without the little words of any language, and without who spoke.

Concept tags and themes are made of them. A word that is little in one language and means something in another is
left out all the same: nobody misses it as a theme, while `die` or `para` as one is nonsense to everybody.
"""

from __future__ import annotations

import re

from clawmem_core.recall.analysis import is_character, terms
from clawmem_core.recall.stop_words import ROLE_NAMES, STOP_WORDS


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_GERMAN = _set(
    """
    aber als also am an auch auf aus bei beim bin bis bist da damit danach dann das dass dazu dein deine dem den denn
    der des deshalb die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er
    es etwas euch euer eure für gab gegen gibt habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre
    ihrem ihren ihrer im immer in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinem keinen
    keiner können könnte machen mal man manche mehr mein meine mich mir mit muss müssen nach nein nicht nichts nie noch
    nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollen sollte
    sondern sonst über um und uns unser unsere unter viel vom von vor war waren warum was weg weil weiter welche wenn
    wer werde werden wie wieder will wir wird wo wurde wurden während zu zum zur zwar zwischen
    """
)
_SPANISH = _set(
    """
    al algo algunas algunos ante antes aquel aquella así aún aunque bien cada casi como con contra cual cuando cuanto
    de del desde después donde dos durante el ella ellas ellos en entre era eran eres es esa esas ese eso esos esta
    está están estaba estado estamos estar estas este esto estos estoy fue fueron ha había han has hasta hay hemos la
    las le les lo los luego más me mi mis mucho muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras otro
    otros para pero poco por porque pues que qué quien se sea según ser será si sí sido sin sino sobre solo sólo son
    soy su sus también tampoco tan tanto te tiene tienen todas todavía todo todos tras tu tus un una unas uno unos
    usted ustedes va vamos van ya yo
    """
)
_PORTUGUESE = _set(
    """
    ainda ao aos aquela aquele aqui as assim até cada com como da das de dela dele depois do dos é ela elas ele eles em
    então entre era eram essa essas esse esses esta está estão estava este estes estou eu foi foram fosse há isso isto
    já lhe mais mas me mesmo meu meus minha muito na não nas nem no nos nós nossa nosso num numa o onde os ou para pela
    pelas pelo pelos por porque pouco quando que quem são se sem ser será seu seus só sua suas também tem têm tenho ter
    teve toda todas todo todos tu tua um uma umas uns vai vão você vocês vos
    """
)
_ROLES = ROLE_NAMES | _set(
    """
    agente agents assistants assistent assistenten assistentin asistente asistentes assistentes benutzer benutzerin
    entwickler mensch modell modelo modèle nutzer nutzerin outil propietario proprietário sistema systems toolresult
    assistente users usuario usuarios usuaria usuário usuários utilisateurs werkzeug herramienta ferramenta
    """
)
LITTLE_WORDS = STOP_WORDS | _ROLES | _GERMAN | _SPANISH | _PORTUGUESE
"""Words that name no subject: English, French, German, Spanish, Portuguese, and who speaks in a transcript."""

_SPOKEN_BY = re.compile(
    "用户|用戶|助手|助理|系统|系統|代理|ユーザー?|アシスタント|システム|エージェント|사용자|어시스턴트|시스템|에이전트|비서"
)
_LITTLE_SIGNS = re.compile(
    "[的了是在和与與也都就很吗嗎呢吧着把被对對从從到为為而及这這那我你您他她它们們有没沒不会會要一个個上下中]"
    "|[\u3041-\u309f]"  # hiragana: endings and particles
    "|^(?:습니|니다|합니|했습|입니|있습|었습|았습|하는|에서|으로|이다|지만|그리|리고|하고|되는|됩니|되었|한다)$"
)


def subject_terms(text: str) -> tuple[str, ...]:
    """Return the distinct words of a text that name what it is about, in order; unspaced scripts as pairs of signs."""
    spoken = text if text.isascii() else _SPOKEN_BY.sub(" ", text)
    return tuple(term for term in terms(spoken) if term not in LITTLE_WORDS and not _is_little(term))


def _is_little(term: str) -> bool:
    return not term.isascii() and (is_character(term) or (is_pair(term) and bool(_LITTLE_SIGNS.search(term))))


def is_pair(term: str) -> bool:
    """Whether a term is a pair of signs of a script without spaces."""
    return len(term) == 2 and all(is_character(sign) for sign in term)
