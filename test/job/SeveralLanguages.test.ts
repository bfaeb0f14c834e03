/** Files that hold several languages: one translation after the other, each leaves the others as they are. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Csv } from "effect-translate"
import { type Format, Tmx, XcStrings } from "effect-translate/formats"
import { FileTranslation } from "effect-translate/jobs"
import Papa from "papaparse"
import { file, marking, text } from "./support.js"

const both = (format: Format.Format, source: string) => {
  const { provide, sent } = marking()
  return Effect.gen(function* () {
    const into = (targetLang: string) =>
      FileTranslation.translate({ format, options: { sourceLang: "en", targetLang } })
    const written = yield* file(source).pipe(into("de"), into("fr"), text)
    // What is translated is not sent again, and the other language is not touched.
    const again = yield* file(written).pipe(into("fr"), into("de"), text)
    expect(again).toBe(written)
    return { written, sent: sent() }
  }).pipe(provide)
}

describe("two languages stand in one", () => {
  it.effect("CSV file, in columns of their own", () =>
    Effect.gen(function* () {
      const format = Csv.make({ columns: ["title"], outputColumn: "{column}.{lang}" })
      const { sent, written } = yield* both(format, "sku;title\nA;Mug\nB;Cup\n")
      expect(Papa.parse(written, { header: true, delimiter: ";", skipEmptyLines: true }).data).toEqual([
        { sku: "A", title: "Mug", "title.de": "de: Mug", "title.fr": "fr: Mug" },
        { sku: "B", title: "Cup", "title.de": "de: Cup", "title.fr": "fr: Cup" }
      ])
      expect(sent).toEqual(["Mug", "Cup", "Mug", "Cup"])
    })
  )

  it.effect("catalogue of Xcode", () =>
    Effect.gen(function* () {
      const { written } = yield* both(
        XcStrings.format,
        '{\n  "sourceLanguage" : "en",\n  "strings" : {\n    "Mug" : {\n\n    }\n  },\n  "version" : "1.0"\n}\n'
      )
      const { localizations } = JSON.parse(written).strings.Mug
      expect(localizations).toEqual({
        de: { stringUnit: { state: "translated", value: "de: Mug" } },
        fr: { stringUnit: { state: "translated", value: "fr: Mug" } }
      })
    })
  )

  it.effect("translation memory", () =>
    Effect.gen(function* () {
      const { written } = yield* both(
        Tmx.format,
        `<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="sentence" o-tmf="t" adminlang="en" srclang="en" datatype="plaintext"/>
<body>
<tu><tuv xml:lang="en"><seg>Mug</seg></tuv></tu>
</body></tmx>
`
      )
      expect(
        Array.from(written.matchAll(/xml:lang="(\w+)"><seg>([^<]*)/g), ([, lang, seg]) => [lang, seg])
      ).toEqual([
        ["en", "Mug"],
        ["de", "de: Mug"],
        ["fr", "fr: Mug"]
      ])
    })
  )
})
