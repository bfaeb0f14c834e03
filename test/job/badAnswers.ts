/** Ten kinds of bad answers. */

/** Texts, and what the service makes of them. */
export const answers: Readonly<Record<string, string>> = {
  "Good morning to all of you.": "",
  "The shop is closed on Sundays.": "The shop is closed on Sundays.",
  "The contract ends in 2026.": "Der Vertrag endet 2062.",
  "Nothing is ever lost here.": "Hier geht nichts verloren. ".repeat(9).trim(),
  "The delivery of your order has been delayed by the weather.": "Ja.",
  "Please confirm your address.": "Als KI-Sprachmodell kann ich diese Anfrage leider nicht bearbeiten.",
  "Click <b>here</b> to go on.": "Klicken Sie <b>hier, um fortzufahren.",
  "Your account is ready.": "\u202EIhr Konto ist bereit.",
  "See https://example.com/help for more.": "Mehr dazu unter https://example.com/hilfe.",
  "The door is open. The light is on. Nobody is at home.": "Die Tür ist offen."
}
