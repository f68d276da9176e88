"""Portuguese, Brazilian and European."""

from tests.recall.intent_examples import messages

POSITIVE = messages(
    """
    o que decidimos sobre o roteador
    o que a gente combinou com o banco?
    você lembra o nome do encanador
    vc se lembra da senha do wifi?
    lembras-te do restaurante em Lyon?
    ainda te lembras do que o Marcel disse
    não lembro como se chamava a branch
    onde eu deixei as chaves do carro
    onde é que pus as chaves?
    me lembra qual era a porta do proxy
    lembra-me o que ficou combinado
    qual era o meu número de sapato
    qual é mesmo a senha?
    como se chama mesmo aquele bar
    ontem falamos de um trem
    anteontem pedi uma lista
    na última vez você recomendou um livro
    semana passada mudamos de seguro
    há três dias te mandei os fornecedores
    dois meses atrás trocamos de plano
    faz um mês que discutimos isso
    outro dia você me disse uma coisa do contrato
    já conversamos sobre isso
    tínhamos combinado de não publicar às sextas
    quem me indicou esse médico?
    quantas vezes já pedi este relatório
    desde quando estamos com este fornecedor?
    resuma a nossa conversa
    faz um resumo da reunião
    o que eu costumo pedir no tailandês
    na conversa anterior tinha uma tabela
    procura nas conversas antigas
    antigamente a gente usava outro dentista, quem era?
    amanhã vou ao médico: o que combinamos de perguntar?
    onde a gente parou
    esqueci onde estacionei o carro
    quando foi a última vez que trocamos os tokens?
    que livro me recomendaste?
    quando a Maria se mudou para Lyon?
    onde o Marcel comprou o carro
    quem veio na quinta passada e o que trouxe
    o que foi que você me falou do seguro
    como era o nome do hotel que ficamos
    quando troquei os pneus
    sobre o que a gente tava falando
    """
)

NEGATIVE = messages(
    """
    lembra de comprar leite
    me lembra de ligar para a Ana
    lembre-se de fechar a porta
    lembra-te que tenho consulta na segunda
    lembra que eu sou alérgico a nozes
    não esquece o pão
    não se esqueça da consulta
    nunca vou esquecer de trancar a porta
    é a sua última chance
    é a última vez que eu falo isso
    pela última vez, sem emojis
    oi, tudo bem?
    corrija o erro
    o que vamos decidir sobre o roteador?
    amanhã a gente conversa
    semana que vem eu me mudo
    você vai lembrar disso amanhã?
    daqui a dois dias nos vemos
    no próximo mês mudamos de banco
    resuma este artigo
    traduza "você lembra de mim?" para o inglês
    rode `git log --since=ontem`
    ```⏎# o que decidimos ontem⏎```
    > você lembra da senha?
    que horas são
    quem é o presidente do Brasil
    escreva um poema sobre a memória
    põe o último parágrafo em negrito
    de manhã eu trabalho melhor
    como abro uma conta?
    há dois arquivos na pasta
    conjugue o verbo ir no presente
    apaga o arquivo anterior
    me passa o sal
    me avisa quando terminar
    é isso mesmo, obrigado
    faz muito calor hoje
    quando começa o filme
    onde fica a estação?
    quem vem amanhã
    apaga as últimas três linhas
    qual é a última versão do Python
    continua
    """
)
