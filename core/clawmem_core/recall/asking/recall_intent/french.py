"""French, without accents. `hier` alone is German too, and counts only with French beside it."""

from __future__ import annotations

from clawmem_core.recall.asking.recall_intent.rules import GAP, LATIN, Ground, Language, Table, any_of, asks, clear

_DAYS = any_of("lundi mardi mercredi jeudi vendredi samedi dimanche")
_MONTHS = any_of("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre")
_UNITS = r"(?:minutes?|heures?|jours?|semaines?|mois|ans?|annees?)"
_NUMBERS = r"(?:\d{1,3}|une?|deux|trois|quatre|cinq|six|sept|huit|dix|quinze|quelques|plusieurs)"
_TALKED = any_of(
    "decide dit parle discute convenu evoque mentionne choisi conclu promis note tranche arrete retenu valide propose "
    "conseille recommande explique raconte demande"
)
_DONE = any_of(
    "fait vu mis range achete commande rencontre ecrit utilise trouve regle essaye teste envoye donne paye lu mange "
    "visite installe garde pris perdu appele loge reserve configure alles? allees? sorti partis? passes? laisse bu "
    "regarde prevu"
)
_ASKED = r"(?:que|qu'|quoi|qui|ou|quand|comment|pourquoi|quel|quelle|quels|quelles|combien|lequel|laquelle|est-ce)"
_HAVE = r"(?:ai|as|a|avons|avez|avais|avait|avions|aviez|suis|es|est|sommes|etes|etais|etait|etions)"
_WE = r"(?:on|nous|tu|vous|j'|je|t')"
_MEETINGS = any_of("conversation discussion echange reunion session seance chat message decision note point appel")

FRENCH = Table(
    Language.FRENCH,
    Ground.UNACCENTED,
    LATIN,
    look_alikes="|".join(
        (
            r"\bn'oublie(?:z|s)? (?:pas|jamais)\b",
            r"\brappel(?:le|ez)[- ]moi (?:de |d')",
            r"\bsouv(?:iens-toi|enez-vous) (?:de |d')\w{1,20}(?:er|ir|re)\b",
            r"\b(?:c'est|pour) la derniere fois(?: que je)?\b",
            r"\bentre hier et\b",
            r"\bderniere (?:chance|ligne droite|minute)\b",
        )
    ),
    future=r"\b(?:demain|apres-demain|prochaine?s?|prochainement|plus tard|bientot|desormais|a l'avenir|ce soir|"
    rf"dans {_NUMBERS} {_UNITS})\b",
    rules=(
        clear(
            "a past time",
            r"\b(?:precedemment|auparavant|avant[- ]hier|autrefois|jadis|l'autre (?:jour|soir|fois|semaine)|"
            r"a l'epoque|la derniere fois|dernierement|hier (?:soir|matin|midi|apres-midi))\b|\bd'hier\b",
        ),
        clear(
            "last week, month, time",
            r"\b(?:la (?:fois|semaine) (?:derniere|passee|d'avant)|le mois (?:dernier|passe)|l'an(?:nee)? (?:dernier|"
            "derniere|passee?)|"
            rf"(?:{_DAYS}|{_MONTHS}|week-?end|ete|hiver|printemps|automne|trimestre) (?:dernier|passe))\b",
        ),
        clear("days ago", rf"\bil y a (?:{_NUMBERS} {_UNITS}|longtemps)\b|\bya {_NUMBERS} {_UNITS}\b"),
        clear(
            "yesterday",
            rf"\bhier\b{GAP}(?:\b(?:nous|vous|avons|avez|on a|on avait|tu|t'as|c'etait|quoi|dit|parle|fait|vu|"
            r"decide)\b|j'ai|j'avais|qu'|est-ce)"
            r"|(?:\b(?:nous|vous|avons|avez|on a|on avait|tu|t'as|c'etait|quoi|reunion)\b|j'ai|j'avais|"
            rf"qu'|est-ce){GAP}\bhier\b",
        ),
        clear(
            "what did we",
            r"\b(?:(?:avons|avions|sommes)[- ]nous|(?:avez|aviez)[- ]vous|(?:as|avais|es)[- ]tu|(?:a[- ]t|avait)[- ]on|"
            rf"(?:ai|avais|suis)[- ]je)(?: \w{{1,20}}){{0,3}} (?:{_TALKED}|{_DONE})e?s?\b",
        ),
        clear(
            "we discussed",
            rf"\b(?:on|nous|tu|vous|t')(?: ?(?:m'|l'|t'|en|nous|vous|y))? ?(?:as|a|avons|avez|avais|avait|avions|aviez)"
            rf"(?: (?:deja|bien|tous|finalement|jamais)){{0,2}} {_TALKED}e?s?\b"
            rf"|\bj'avais {_TALKED}\b|\bje (?:t'|vous |te l'|vous l')(?:ai|avais)(?: deja)? {_TALKED}\b",
        ),
        clear(
            "a question about what we did",
            rf"\b{_ASKED}{GAP}(?:\b{_WE}|\bj'|\bt')(?: ?(?:m'|l'|t'|en|y|nous|vous|me|te))? ?{_HAVE}(?: "
            rf"\w{{1,20}}){{0,2}} (?:{_TALKED}|{_DONE})e?s?\b",
        ),
        clear(
            "we did it where",
            rf"(?:\b{_WE} ?|\bj'|\bt'){_HAVE}(?: \w{{1,20}}){{0,2}} (?:{_TALKED}|"
            rf"{_DONE})e?s?\b[^.!?]{{0,40}}\b(?:ou|quoi|quand|qui|comment|combien|lequel|laquelle)(?: deja)? ?\W?$",
        ),
        clear(
            "when did somebody",
            rf"\b(?:quand|a quelle heure|quel jour|quel mois|ou)\b[^.!?]{{0,40}}\b(?:a|ont|est|sont|s'est|avait|"
            "etait)(?:-t)?(?:-il|-elle|-ils|-elles)?"
            f"(?: (?:ete|deja))? (?:{_TALKED}|{_DONE}|demenage|commence|fini|arrive|rentre|quitte|gagne|adopte|"
            rf"signe|\w{{2,20}}mence|dine|joue|change)e?s?\b",
        ),
        clear(
            "when did I",
            r"\bquand (?:est-ce qu[^.!?]{0,24}\b(?:ai|as|a|avons|avez|ont)|(?:ai-je|as-tu|a-t-\w{2,4}|avons-nous|"
            r"avez-vous))(?: \w{1,20})? \w{3,20}e(?:e|s|es)?\b",
        ),
        asks(
            "do you remember",
            r"\btu (?:ne )?(?:te|t'en) (?:souviens|rappelles)\b|\b(?:te|t'en) (?:souviens|rappelles)-tu\b|"
            r"\bvous (?:vous|en)(?: en)? (?:souvenez|rappelez)\b|\bt'en (?:souviens|rappelles)\b|^te (?:souviens|"
            r"rappelles)\b|\bsouviens-toi (?:quand|comment|de ce qu|de la fois|du jour|de notre)",
        ),
        asks(
            "I do not remember",
            r"\bje (?:ne )?me (?:souviens|rappelle) (?:plus|pas)\b|\bj'ai oublie (?:ce|qui|quel|quelle|ou|comment|"
            r"quand|le nom|la date)\b",
        ),
        asks(
            "remind me what",
            r"\brappel(?:le|ez)[- ]moi (?:encore |deja )?(?:ce qu|qui|quel|quelle|ou|comment|pourquoi|combien|notre|"
            "nos|quand (?:on|nous|c'etait))"
            r"|\b(?:me|nous) rappeler (?:ce qu|quel|quelle|ou|comment|pourquoi|qui|combien|le nom|la date|l'adresse|"
            "notre|nos)",
        ),
        asks(
            "what was it",
            r"\bc'etait (?:quoi|qui|ou|quand|quel|quelle|comment|combien|lequel|laquelle)\b|"
            r"\b(?:quel|quelle|quels|quelles|qui|comment) (?:etai(?:t|ent)|s'appelait)\b|\ben etait-on\b|\bon en "
            r"etait ou\b|\bou en etions-nous\b",
        ),
        asks("what is it again", rf"\b{_ASKED}{GAP}\bdeja ?\W?$"),
        asks("what do I usually", rf"\b{_ASKED}{GAP}\b(?:d'habitude|habituellement|d'ordinaire)\b"),
        asks(
            "summarise the conversation",
            rf"\b(?:resumer?|resumez|recapitule[rz]?|recap|synthese|resume-moi)\b[^.!?]{{0,30}}\b{_MEETINGS}s?\b",
        ),
        asks(
            "a past conversation",
            rf"\b{_MEETINGS}s? (?:precedent|passe|anterieur|ancien|dernier)(?:e|ne|s|es|nes)?\b|\b(?:ancien|"
            rf"precedent|dernier)(?:e|ne|s|es|nes)? {_MEETINGS}s?\b"
            rf"|\b{_MEETINGS}s? (?:de |du |en |d')(?:{_MONTHS}|{_DAYS}|20\d\d)\b",
        ),
        asks("since when", r"\bdepuis (?:quand|combien)\b|\bcombien de fois (?:a|ai|as|j'|on|nous|tu|est|suis)"),
    ),
)
