"""German."""

from tests.recall.intent_examples import messages

POSITIVE = messages(
    """
    was haben wir zum Router entschieden
    Was hatten wir eigentlich wegen der Küche ausgemacht?
    weißt du noch, wie der Klempner hieß
    weisst du noch wo ich die schlüssel hingelegt habe
    Erinnerst du dich an den Namen der Tierärztin?
    erinnerst du dich noch an das alte Passwort
    können Sie sich an unser Gespräch erinnern?
    erinnere mich bitte, welchen Port der Proxy hat
    erinnere mich daran, was wir vereinbart haben
    wie war das WLAN-Passwort noch mal?
    wie heißt die Firma gleich nochmal
    gestern hast du ein Buch erwähnt
    letzte Woche haben wir die Bank gewechselt
    beim letzten Mal hattest du was anderes empfohlen
    vor drei Tagen hab ich dir eine Liste gegeben
    Vor kurzem ging es um den Mietvertrag, worum genau?
    neulich war da was mit der Heizung
    damals in Lyon, wen habe ich da getroffen
    wann haben wir das Sofa bestellt?
    wo habe ich das Auto geparkt
    wer hat gesagt, dass wir so was schon mal besprochen haben
    haben wir darüber schon mal gesprochen?
    Wie oft habe ich nach diesem Bericht gefragt?
    seit wann sind wir bei diesem Anbieter
    fass unser Gespräch zusammen
    eine Zusammenfassung der Besprechung bitte
    in der vorherigen Nachricht stand eine Tabelle
    das Gespräch vom Montag suchen
    was bestelle ich normalerweise beim Thailänder?
    ich weiß nicht mehr, wie der Branch hieß
    morgen bin ich beim Arzt: was hatten wir besprochen, das ich fragen soll?
    du hattest mir versprochen, kürzer zu schreiben
    wir hatten uns doch auf freitags kein Deploy geeinigt
    wo waren wir stehen geblieben
    früher hatten wir einen anderen Zahnarzt, wer war das
    welche Farbe hatten wir ausgesucht?
    vorhin hast du was anderes gesagt
    was war unser Budget
    wann ist Marie nach Lyon umgezogen
    Wo hat Marcel das Auto gekauft?
    wer war letzten Donnerstag da und was hat er mitgebracht
    wie hieß nochmal das hotel
    wann habe ich die reifen gewechselt
    worüber haben wir zuletzt gesprochen
    hatte ich dir nicht schon die Adresse gegeben
    """
)

NEGATIVE = messages(
    """
    erinnere mich daran, Milch zu kaufen
    erinnere mich morgen an den Termin
    vergiss nicht, abzuschließen
    nicht vergessen: Müll rausbringen
    ich werde nie vergessen, die Tür abzuschließen
    das ist deine letzte Chance
    zum letzten Mal: keine Emojis
    letzten Endes ist es egal
    in letzter Zeit regnet es viel
    früher oder später klappt es
    komm bitte etwas früher
    hier ist der Bericht
    hallo, wie geht's
    behebe den Fehler
    was sollen wir zum Router entscheiden?
    morgen sprechen wir darüber
    nächste Woche ziehe ich um
    in zwei Tagen fahre ich weg
    wirst du dich morgen daran erinnern?
    fass diesen Artikel zusammen
    übersetze „erinnerst du dich an mich“ ins Englische
    übersetze "was haben wir gestern entschieden"
    führe `git log --since=gestern` aus
    ```⏎# gestern entschieden⏎```
    > weißt du noch?
    wie spät ist es
    was hast du gegen Regen
    guten Morgen
    wer ist Bundeskanzler
    schreib ein Gedicht über Erinnerung
    merk dir, dass ich Ana heiße
    mach den letzten Absatz fett
    stell den Wecker auf sieben
    wie eröffne ich ein Konto?
    vor dem Haus steht ein Auto
    konjugiere das Verb gehen
    wann fährt der nächste Zug
    was haben wir heute zum Essen
    wann beginnt der Film
    wo ist der Bahnhof
    wann ist die Besprechung morgen
    wie geht das
    lösche die letzten drei Zeilen
    was ist die letzte Version von Python
    mach weiter
    """
)
