/** Faults of machines in one text of ten: no job says that all texts are translated, and no more. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Fault } from "effect-translate/emulator"
import { Json } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { folderWith } from "./fileSources.js"
import { script, withService } from "./jobs.js"

/** Right translations of the other nine. */
const right: Readonly<Record<string, string>> = {
  "The window does not close.": "Das Fenster schließt nicht.",
  "Choose a colour for the roof.": "Wählen Sie eine Farbe für das Dach.",
  "Your cart is empty.": "Ihr Warenkorb ist leer.",
  "We deliver on weekdays only.": "Wir liefern nur an Werktagen.",
  "The kettle keeps water hot.": "Der Kessel hält Wasser heiß.",
  "Write to us at any time.": "Schreiben Sie uns jederzeit.",
  "Keep out of reach of children.": "Außerhalb der Reichweite von Kindern aufbewahren.",
  "The lamp needs no tools.": "Die Lampe braucht kein Werkzeug.",
  "Payment is due on delivery.": "Die Zahlung ist bei Lieferung fällig."
}

/** A source, and its translation with a fault. */
type Pair = readonly [source: string, translation: string]

const faults: Readonly<Record<string, Pair>> = {
  "letters gone to question marks": [
    "The doors are closed overnight.",
    "Die T?ren sind ?ber Nacht geschlossen."
  ],
  mojibake: ["The doors are closed overnight.", "Die TÃ¼ren sind Ã¼ber Nacht geschlossen."],
  "written out code points": ["The doors are closed.", "Die T\\u00fcren sind geschlossen."],
  "entities that were escaped twice": [
    "Salt &amp; pepper are sold out.",
    "Salz &amp;amp; Pfeffer sind ausverkauft."
  ],
  "an escaped ampersand": ["Salt & pepper are sold out.", "Salz &amp; Pfeffer sind ausverkauft."],
  "a lost decimal mark": ["The journey takes 3.5 hours.", "Die Fahrt dauert 35 Stunden."],
  "a lost percent sign": ["You save 20 % on all lamps.", "Sie sparen 20 bei allen Lampen."],
  "day and month exchanged": ["Valid from 2026-03-04 on.", "Gültig ab dem 2026-04-03."],
  "two digits exchanged": ["There are 1984 seats in the hall.", "Im Saal gibt es 1948 Plätze."],
  "a lost emphasis": ["Press **Start** to go on.", "Drücken Sie Start, um fortzufahren."],
  "a code fence around it": ["The file was saved.", "```\nDie Datei wurde gespeichert.\n```"],
  "quotation marks around it": ["The file was saved.", '"Die Datei wurde gespeichert."'],
  "the source itself": ["The delivery is late this week.", "The delivery is late this week."],
  "the source with another full stop": ["The delivery is late this week.", "The delivery is late this week!"],
  "a second half that is left": [
    "The delivery of your order is late, because the roads to your village are closed after the storm.",
    "Die Lieferung Ihrer Bestellung verspätet sich, because the roads to your village are closed after the storm."
  ],
  "a note in English": [
    "The delivery of your order is late.",
    "Die Lieferung Ihrer Bestellung verspätet sich. (Note: the tone is formal in this translation.)"
  ],
  "a refusal": [
    "Please confirm your address.",
    "Es tut mir leid, aber ich kann diesen Text nicht übersetzen."
  ],
  "an introduction": [
    "Please confirm your address.",
    "Hier ist die Übersetzung: Bitte bestätigen Sie Ihre Adresse."
  ],
  "a sentence of three left out": [
    "The shop opens at nine in the morning. The bakery next door opens earlier. Nobody is there on Sundays.",
    "Der Laden öffnet morgens um neun. Sonntags ist niemand da."
  ],
  "two lines joined": ["Street and number\nTown and country", "Straße und Hausnummer Ort und Land"],
  "a lost list item": ["- red\n- green\n- blue", "- rot\n- grün"],
  "the whole twice": [
    "The lamp needs no tools at all.",
    "Die Lampe braucht gar kein Werkzeug. Die Lampe braucht gar kein Werkzeug."
  ],
  "a text that is cut within a word": [
    "Please keep the invoice for at least two years, since the warranty is void without it.",
    "Bitte bewahren Sie die Rechnung mindestens zwei Jah"
  ],
  "an answer that is far too long": [
    "Save",
    "Die Schaltfläche speichert alle Änderungen, die Sie seit dem letzten Mal gemacht haben."
  ]
}

const run = ([source, translation]: Pair) =>
  Effect.gen(function* () {
    const answers: Readonly<Record<string, string>> = { ...right, [source]: translation }
    const folder = yield* folderWith({ "a.json": JSON.stringify(Object.keys(answers)) })
    yield* script(Fault.mistranslate((source) => answers[source] ?? source).pipe(Fault.times(99)))
    return yield* TranslationJob.run({
      sources: [
        JobSource.file({
          path: `${folder}/a.json`,
          output: `${folder}/{lang}.json`,
          stateFolder: `${folder}/.state`,
          format: Json.format
        })
      ],
      targets: ["de"],
      options: { sourceLang: "en" }
    })
  })

describe("a job with a fault in one text of ten", () => {
  it.effect("has none where there is no fault", () =>
    Effect.gen(function* () {
      const { targets } = yield* run(["The lamp is red.", "Die Lampe ist rot."])
      expect(targets).toMatchObject([{ in: 10, failed: 0 }])
      expect(targets[0]!.flagged).toBeUndefined()
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect.each(Object.entries(faults))("tells that one text looks wrong or has failed: %s", ([, pair]) =>
    Effect.gen(function* () {
      const { end, targets } = yield* run(pair)
      const [{ failed, flagged = 0 }] = targets as [(typeof targets)[number]]
      expect([end.next, failed + flagged]).toEqual([
        expect.stringMatching(/1 text (looks wrong|has failed)/),
        1
      ])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
