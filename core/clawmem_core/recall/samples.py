"""Sentences of everyday life and work in several languages: what a model makes of texts that say nothing in common.

They are turned into vectors beside the memory itself, so that a memory of three lines has a ground against which they
stand out.
"""

from __future__ import annotations

SAMPLES = (
    "I prefer tea to coffee in the morning.",
    "The server was restarted after the update.",
    "Can you recommend a good book about history?",
    "We are flying to Lisbon in the second week of May.",
    "Her sister teaches mathematics at a school in the country.",
    "Please write all reports in short sentences.",
    "The invoice has to be paid within thirty days.",
    "He runs ten kilometres every Sunday.",
    "What is the best way to learn a new language?",
    "The meeting was moved to Thursday afternoon.",
    "I do not eat meat, and nuts make me ill.",
    "def add(a, b): return a + b",
    "The tests fail on the main branch since yesterday.",
    "They adopted a dog from the shelter last year.",
    "Sure, I would be happy to help with that.",
    "The password is kept in the safe of the office.",
    "It rained all day, so the picnic was cancelled.",
    "My favourite film is a comedy from the seventies.",
    "How do I fix a leaking tap in the kitchen?",
    "The painting shows a harbour at dusk.",
    "Our budget for the new kitchen is eight thousand.",
    "She was nervous before the concert, but it went well.",
    "Use the blue form for travel expenses.",
    "The train to the airport leaves every twenty minutes.",
    "Thank you so much, that means a lot to me!",
    "1. Open the settings. 2. Choose a theme. 3. Save.",
    "The doctor told him to drink more water.",
    "Which laptop would you buy for a student?",
    "The garden needs water twice a week in summer.",
    "We talked about old times until late in the night.",
    "Je préfère travailler tôt le matin.",
    "La réunion est reportée à lundi prochain.",
    "Quel cadeau pourrais-je offrir à ma mère ?",
    "Le serveur de sauvegarde se trouve à Lyon.",
    "Die Rechnung wurde am Montag bezahlt.",
    "Welche Musik hörst du beim Arbeiten?",
    "Mi hermano vive en Valencia desde hace dos años.",
    "O relatório deve estar pronto na sexta-feira.",
    "会议改到星期四下午。",
    "新しい鍵は受付にあります。",
    "다음 주에 부산으로 여행을 갑니다.",
)
