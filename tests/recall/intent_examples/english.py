"""English."""

from tests.recall.intent_examples import messages

POSITIVE = messages(
    """
    what did we decide about the router
    did we ever settle on a name for the boat?
    Remind me which port the staging proxy listens on
    what was that plumber's name again
    who did I say was allergic to peanuts?
    where did i put the spare keys
    I can’t remember what we called the second branch
    do you still remember my dad's birthday
    when was the last time we rotated the tokens?
    how long have we had this subscription
    what have we tried so far for the flaky test
    Yesterday you mentioned a book, which one?
    as we said last week, no deploys on Fridays
    two things: the invoice, and what you told me about Marcel
    what was our budget for the kitchen
    which of the two hotels did we pick in the end
    what did Ana recommend the day we met her? the restaurant we went to after
    How many times have I asked for this report
    3 weeks ago I gave you a list of suppliers
    what happened with the lease a few months ago?
    recap our conversation please
    can you summarise what we discussed
    pull up the notes from Monday
    didn't we already fix this bug
    before the move, which internet provider did we use?
    What do I usually order at the Thai place
    I used to have a different dentist, who was it
    have we talked about this before
    you promised me a shorter version
    whats the name of the vet we went to
    next time use tabs, like i told you
    tomorrow I see the doctor: what did we agree I would ask?
    ok so where were we
    What's the wifi password again?
    hier ist alles gut, but do you remember the old alias
    in our previous chat there was a table of prices
    > the build is red⏎⏎did we see this error earlier?
    what did "project heron" end up costing when did we close it
    when did Ana move to Lyon
    What has Marcel painted since he retired?
    how many times has the boiler man cancelled, and when was Ana here
    which of the places Tom told us about did Ana visit first
    that time I rode a horse in Camargue
    remember when the boiler exploded?
    I don't recall the address
    if I remember right the port is 8080
    remind me when the lease was signed
    since when do I pay for this
    which vet did we take the cat to
    is there anything from our last call about pricing
    where'd we leave off
    what was the decision on naming
    do u remember that pasta recipe
    did the landlord reply after I wrote to him
    which came first, the move or the new job?
    """
)

NEGATIVE = messages(
    """
    remember to water the plants
    Remember that my name is Ana
    please remember: no meetings on Fridays
    remind me to call the bank
    remind me tomorrow what to buy
    remind me when the timer ends
    this is your last chance
    what is my last name in capital letters
    last but not least, add a footer
    I will never forget to lock the door
    don't forget the milk
    previously on Lost, the hatch opened
    set an alarm for 7
    what should we decide about the router
    how do I undo the last commit
    sort the list by past due amount
    translate "do you remember me" into French
    the song is called “Yesterday”, play it
    run `git log --since="2 weeks ago"`
    ```⏎# what did we decide yesterday⏎print(1)⏎```
    > did you remember the keys?
    a hammer is used to drive nails
    upgrade from the earlier version to the newest
    I need to get up earlier
    the car recall affects 2019 models
    let's discuss the budget tomorrow
    will you remember this for me next week?
    what will we do next month
    schedule a call on Monday
    what if we used Postgres instead
    who was the first president of France
    what time is it in Tokyo
    history of the Roman empire in five lines
    for the last time: stop adding emojis
    no earlier than 9 please
    write a story about memory and loss
    why is the sky blue
    the past tense of go
    fast forward the video
    when did the second world war end
    when is Ana's birthday
    who has the ball
    what did the fox say
    Ana will remember when you get there
    undo
    how did the dinosaurs die out
    write a function that returns the previous element
    open the last file
    what does git recall do
    I need a reminder app recommendation
    delete everything older than 30 days
    explain how memory works in Rust
    """
)
