"""Wishes as people say them, English and French, by what they are tied to; one a line."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from clawmem_core.intents.triage import Kind


def _wishes(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


WISHES: Mapping[Kind, tuple[str, ...]] = MappingProxyType(
    {
        Kind.EVENT: _wishes(
            """
            When the launch checklist comes up, confirm the rollback owner.
            Next time I mention the garden, remind me of the seeds.
            If Anna writes, tell her the room has moved.
            Whenever somebody asks for the invoice, give the number.
            As soon as the build is green, ask me to tag it.
            Before I merge anything, ask whether the tests ran.
            After the deploy, ask for the error rate.
            Every time a router fails, attach the VLAN diagram.
            Once the contract is signed, mention the deposit.
            When Anna asks about Friday's meeting, say it moved to 10:00.
            Each time I order paper, ask for the recycled one.
            On seeing a failing test, ask me to file it
            The moment Bob replies, ping me
            should anyone ask for the keys, they are with Mrs. Adler
            remind me to bring the charger next time we talk about travelling
            In case the printer jams again, say who repairs it.
            ask me about the warranty when I bring up the dishwasher
            any time I say "ship it", ask for the changelog
            If I ever talk about selling the boat, remind me of the loan.
            When I'm back at the office, remind me of the parcel
            Tell me about the discount if the hotel is mentioned.
            After we close the ticket, ask for the time spent.
            Before every release, ask for the rollback plan.
            Unless I say otherwise, add the footer when I send an offer.
            When the 9am report is late again, tell Marc
            if the customer mentions a refund please quote the policy
            Quand je parle du contrat, demande le numéro de facture.
            La prochaine fois que Paul écrit, rappelle-moi le loyer.
            Dès que la livraison arrive, préviens Marie.
            Si quelqu'un demande le code, dis qu'il a changé.
            Chaque fois que le serveur tombe, joins le schéma.
            Lorsque le budget est évoqué, rappelle la limite.
            Avant de fusionner, demande si les tests passent.
            Au cas où Léa appelle, dis-lui que je suis parti.
            Après la réunion d'équipe, demande le compte rendu.
            Rappelle-moi le parapluie quand on parlera de Brest
            Lors du prochain déploiement, demande qui est de garde
            une fois que le devis est signé, parle de l'acompte
            s’il est question de vacances, rappelle les dates
            Si jamais Marc demande le mot de passe, refuse poliment.
            à chaque fois qu'on parle de la chaudière, rappelle la garantie
            Au moment où je mentionne le vélo, parle de l'assurance
            """
        ),
        Kind.TIME: _wishes(
            """
            Remind me at 9am to call Bob.
            At 17:30 send the report.
            Every Monday, ask for the timesheet.
            Tomorrow morning, remind me of the dentist.
            In two hours, check the oven.
            On 2026-12-24 wish everybody a good evening.
            Send the summary every day.
            Once a week, ask me for the hours.
            When it is 5pm, tell me to go home.
            When Monday comes, ask for the plan.
            If it's Friday, remind me of drinks
            0 9 * * 1 post the plan
            Next week ask about the lease
            By Friday, get the numbers
            remind me on Tuesday
            wake me at noon
            Call mum tonight
            in half an hour, check the cake
            remind me at 9
            remind me to stretch every 30 minutes
            Ask for the figures on the 3rd
            Wish Tom a happy birthday on March 14th
            twice a month, check the backups
            Post the weather daily
            ping me in 10 min
            before 6pm, close the shop
            at the end of the month, send the invoice
            Rappelle-moi à 8 h d'appeler Paul.
            Demain matin, demande les chiffres.
            Dans deux heures, vérifie le four.
            Tous les lundis, envoie le rapport.
            Le 3 mars, souhaite-lui bon anniversaire.
            Ce soir, rappelle-moi le linge.
            Quand il sera midi, dis-le-moi.
            Lundi prochain, relance Marc
            Une fois par mois, vérifie les sauvegardes
            chaque matin, donne-moi la météo
            Envoie le bilan à la fin du mois
            rappelle-moi vers 18h30 de sortir le chien
            la semaine prochaine, demande le devis
            appelle le garage avant vendredi
            dans trois jours, vérifie la cuve
            """
        ),
        Kind.ASPIRATION: _wishes(
            """
            Someday I want to learn Spanish.
            I'd like to read more.
            My goal is to run a marathon.
            I hope to visit Japan.
            We should spend less on paper.
            It would be nice to have a cleaner inbox.
            One day, write a book.
            I want to become a better listener
            Eventually move the archive to the cellar
            I dream of a house by the sea
            I would love to play the cello
            our goal would be a calmer release
            I should really exercise more
            I need to get better at saying no
            at some point we ought to renovate the attic
            Un jour, j'apprendrai le piano.
            J'aimerais lire davantage.
            Mon objectif est de courir un marathon.
            Je rêve de voyager.
            Il faudrait être plus patient.
            Je voudrais mieux dormir.
            Ce serait bien de trier les photos.
            Je devrais faire plus de sport
            j'espère parler italien couramment
            à terme, déménager à la campagne
            notre rêve : une maison en Bretagne
            je veux apprendre à dessiner
            """
        ),
        Kind.NONE: _wishes(
            """
            I prefer tea.
            I'll remember that preference.
            Confirm the rollback owner.
            Attach the VLAN diagram.
            Use metric units.
            Attach the 9am report.
            Thanks, that was good.
            The staging server is called Otter.
            Remember that my sister is Léa.
            Mention the retention change.
            Please keep answers short if you can.
            Send it as soon as possible.
            My sister is five years old.
            Je préfère le thé.
            Réponds en français.
            Merci, c'était parfait.
            Réponds vite si possible, s'il te plaît.
            Vérifier l'état de l'atelier.
            Je m'en souviendrai.
            """
        ),
    }
)
