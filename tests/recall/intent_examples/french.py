"""French."""

from tests.recall.intent_examples import messages

POSITIVE = messages(
    """
    qu'est-ce qu'on avait décidé pour le routeur
    Qu’avons-nous décidé hier ?
    tu te souviens du nom du plombier
    tu t'en souviens ?
    te souviens-tu de ce que disait Marcel
    vous vous rappelez la date du bail ?
    rappelle-moi ce qu'on a dit sur le budget
    Rappelle-moi où j'ai rangé les clés
    peux-tu me rappeler le nom de la vétérinaire
    c'était quoi déjà le mot de passe du wifi
    comment il s'appelle déjà ?
    on a mis les sauvegardes où
    la dernière fois tu m'avais conseillé un livre
    hier soir j'ai parlé d'un train
    la semaine dernière on a changé de banque
    il y a trois jours je t'ai donné une liste
    qui est-ce que j'ai vu à Lyon l'an dernier
    combien de fois ai-je demandé ce rapport
    depuis quand on est chez cet hébergeur
    quand est-ce qu'on a commandé le canapé
    où en étions-nous
    résume notre conversation
    fais un récap de la réunion d'hier
    tu avais dit que c'était gratuit
    comme convenu la fois dernière, pas de mise en prod le vendredi
    qu'est-ce que je prends d'habitude au thaï
    je ne me souviens plus du nom de la branche
    j'ai oublié où on a garé la voiture
    avait-on choisi le modèle noir ou le blanc ?
    t'as dit quoi sur la chaudière avant-hier
    lors de l'échange précédent il y avait un tableau
    as-tu déjà noté mon adresse
    demain je vois le médecin : qu'est-ce qu'on avait convenu de demander
    quel était notre budget pour la cuisine
    ca fait quoi, on avait parle de ca mardi dernier
    à quelle heure on a pris le train l'autre jour
    dis-moi ce que tu m'as expliqué précédemment
    quand est-ce que Marie a déménagé à Lyon ?
    où Paul a-t-il acheté sa voiture
    qui est venu la semaine passée, et avec qui
    on avait dit quoi pour samedi
    tu peux me redire le nom de l'hôtel où on est allés
    qu'est-ce que je t'ai raconté sur ma sœur
    quand est-ce que j'ai changé les pneus
    tu m'as parlé d'un resto, c'était lequel
    """
)

NEGATIVE = messages(
    """
    rappelle-moi d'acheter du lait
    rappelle-moi de sortir les poubelles demain
    n'oublie pas le pain
    je n'oublierai jamais de fermer la porte
    souviens-toi de fermer la porte
    souviens-toi que je suis allergique aux noix
    c'est ta dernière chance
    c'est la dernière fois que je te le dis
    bonjour, ça va ?
    corrige ce bug
    que doit-on décider pour le routeur
    demain on parle du budget
    dans deux jours on déménage
    la semaine prochaine je pars
    as-tu un stylo
    résume cet article
    traduis « tu te souviens de moi » en anglais
    lance `git log --since=hier`
    ```⏎# hier nous avons décidé⏎```
    > qu'est-ce qu'on avait décidé hier ?
    il y a deux fichiers dans le dossier
    quelle heure est-il
    passe-moi le sel
    mets le dernier paragraphe en gras
    la précédente version ne compile pas
    comment ouvrir un compte
    conjugue le verbe se souvenir au présent
    écris un poème sur la mémoire
    qui est le président de la République
    on décide quoi pour demain
    tu peux noter mon adresse
    quand est-ce qu'on mange ce soir
    tu te souviendras de ça demain ?
    pourquoi le ciel est bleu
    j'habite ici depuis longtemps
    le passé composé du verbe aller
    hier
    quand a lieu la réunion
    où est la gare
    hier ist der Bericht, bitte lesen
    quand commence le film
    qui est-ce
    mets à jour le fichier précédent
    quel est le dernier modèle de téléphone
    quelle est la différence entre hier et demain en anglais
    on se voit quand
    """
)
