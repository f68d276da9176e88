"""Spanish of both sides of the ocean."""

from tests.recall.intent_examples import messages

POSITIVE = messages(
    """
    ¿qué decidimos sobre el presupuesto?
    que decidimos al final con el banco
    ¿te acuerdas del nombre del fontanero?
    recuerdas la contraseña del wifi
    no me acuerdo de cómo se llamaba la rama
    ¿Dónde puse las llaves del coche?
    recuérdame cuál era el puerto
    recuérdame qué contraseña usamos en el servidor
    ¿cuál era mi talla de zapatos?
    la última vez me recomendaste un libro
    ayer hablamos de un tren
    anoche te pedí una lista
    la semana pasada cambiamos de seguro
    hace tres días te pasé los proveedores
    hace un mes que no hacemos copias, ¿por qué?
    el otro día me dijiste algo del contrato
    ¿hemos hablado de esto antes?
    habíamos quedado en no desplegar los viernes
    ¿en qué habíamos quedado?
    ¿quién me dijo lo de la humedad?
    ¿con quién hablamos del alquiler?
    ¿cuántas veces he pedido este informe?
    ¿desde cuándo estamos con este proveedor?
    resume nuestra conversación
    hazme memoria: ¿qué hicimos el lunes pasado?
    ¿qué pido normalmente en el tailandés?
    en la reunión anterior había una tabla
    busca en las conversaciones anteriores
    como dijimos, nada de emojis
    ¿os acordáis de lo del router?
    ¿vos te acordás cómo se llamaba el bar?
    antes usábamos otro dentista, ¿quién era?
    mañana voy al médico: ¿qué acordamos preguntar?
    ya hablamos de esto
    dime qué me contaste sobre Marcel
    se me olvidó dónde dejamos el coche
    ¿Qué comí en aquel restaurante de Lyon?
    ¿cuándo se mudó Ana a Lyon?
    ¿Dónde compró Marcel el coche?
    quien vino el jueves pasado y que trajo
    recordar la clave del router
    ¿a qué hora quedamos el viernes pasado?
    ¿cómo se llamaba el hotel en el que estuvimos?
    de qué estábamos hablando
    """
)

NEGATIVE = messages(
    """
    recuérdame comprar leche
    recuérdame llamar a Ana
    recuerda que tengo cita el lunes
    recuerda comprar pan
    acuérdate de cerrar la puerta
    no olvides las llaves
    nunca olvidaré cerrar la puerta
    no te olvides de la cita
    es tu última oportunidad
    esta es la última vez que te lo digo
    por última vez, sin emojis
    hola, ¿qué tal?
    arregla el fallo
    ¿qué decidiremos sobre el router?
    mañana hablamos
    la semana que viene me mudo
    ¿te acordarás de esto mañana?
    el próximo mes cambiamos de banco
    dentro de dos días nos vemos
    resume este artículo
    traduce "¿te acuerdas de mí?" al inglés
    ejecuta `git log --since=ayer`
    ```⏎# ¿qué decidimos ayer?⏎```
    > ¿recuerdas la clave?
    ¿qué hora es?
    hace mal tiempo hoy
    haz dos cosas
    ¿quién es el presidente de Chile?
    escribe un poema sobre la memoria
    pon el último párrafo en negrita
    quiero que use tabuladores
    por la mañana trabajo mejor
    ¿cómo se abre una cuenta?
    conjuga el verbo ir en presente
    borra el archivo anterior
    pásame la sal
    avísame cuando termine
    ¿cuándo empieza la película?
    ¿dónde está la estación?
    ¿quién viene mañana?
    recordar comprar pan
    borra los últimos tres mensajes
    ¿cuál es la última versión de Python?
    hazlo como siempre
    """
)
