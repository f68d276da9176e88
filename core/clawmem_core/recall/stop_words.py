"""Words that carry no meaning of their own in a question, English and French, lower-cased, accents as written.

What an apostrophe cuts off (`l'`, `qu'`, `'s`) is no word at all for `analysis` and stands in no list. Words
that are content in the other language or without their accent (`son`, `car`, `thé`, `été`, the month of May) are not
listed: the index's own document frequencies make them light where they are common.
"""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ENGLISH = _set(
    """
    a about above after again against all also am an and any are aren as at be because been before being below between
    both but by can cannot could couldn did didn do does doesn doing don down during each else ever few for from
    further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it
    its itself just let me might mightn more most must mustn my myself needn no nor not of off on once only or
    other our ours ourselves out over own same shall shan she should shouldn so some such than that the their theirs
    them themselves then there these they this those through to too under until up upon us very was wasn we were weren
    what when where which while who whom whose why will with within without won would wouldn you your yours yourself
    yourselves
    """
)
"""English stop words."""

FRENCH = _set(
    """
    à afin ai aie aient aies ait alors après as aucun aucune au aussi autre autres aux avaient avais avait avant avec
    avez aviez avions avoir avons ayant ayez ayons ça ce ceci cela celle celles celui cependant ces cet cette ceux
    chaque chez ci comme comment dans de depuis des dès donc dont du elle elles en encore entre es est et étaient
    étais était étant étiez étions être eu eux faut fut hors il ils je jusque la là laquelle le lequel les lesquelles
    lesquels leur leurs lors lorsque lui ma mais malgré même mêmes mes mien moi moins mon ne ni nos notre nôtre nous
    on ont ou où par parce parmi pas pendant peu peut plus pour pourquoi près puis puisque quand que quel quelle
    quelles quels quelque quelques qui quoi quoique rien sa sans se selon sera serait seront ses si sien soi soit
    sommes sont sous suis sur ta tandis telle telles tels tes toi ton tous tout toute toutes très trop tu un une
    vers voici voilà vos votre vôtre vous vu y a apres ca deja déjà etaient etais etait etant etre meme memes
    pres tres voila votre
    """
)
"""French stop words, the accented ones also as people type them without accents."""

STOP_WORDS = ENGLISH | FRENCH
"""All of them: what is dropped from a query and from concept terms."""

ROLE_NAMES = _set(
    """
    agent ai assistant assistante bot developer human humain humaine model owner propriétaire proprietaire system
    système systeme tool user utilisateur utilisatrice
    """
)
"""Names of speakers and machinery in transcripts; they say who spoke and nothing about what was said."""
