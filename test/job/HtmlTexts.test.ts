/** Texts of HTML in files of other formats. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Csv } from "effect-translate"
import { Yaml } from "effect-translate/formats"
import { FileTranslation } from "effect-translate/jobs"
import { file, marking, text } from "./support.js"

const csv = 'id,t\n1,"<p class=""inner dog"">Get it</p>"\n2,Icon\n'

const format = Csv.make({ columns: ["t"] })

describe("HTML in a file of rows", () => {
  it.effect("is sent in requests of its own", () => {
    const { provide, requests } = marking()
    return Effect.gen(function* () {
      yield* text(FileTranslation.translate(file(csv), { format, options: { targetLang: "de" } }))
      expect(requests.map(({ texts }) => texts).sort()).toEqual([
        ['<p class="inner dog">Get it</p>'],
        ["Icon"]
      ])
    }).pipe(provide)
  })

  it.effect("is plain text if it is said so", () => {
    const { provide, requests } = marking()
    const options = { targetLang: "de", syntax: { html: false } } as const
    return Effect.gen(function* () {
      yield* text(FileTranslation.translate(file(csv), { format, options }))
      expect(requests.map(({ texts }) => texts)).toEqual([['<p class="inner dog">Get it</p>', "Icon"]])
    }).pipe(provide)
  })

  it.effect("needs as many requests as the forecast says", () => {
    const { provide, requests } = marking()
    return Effect.gen(function* () {
      const yaml = "a: <b>Fine</b> words\nb: Plain words\n"
      const [forecast] = yield* FileTranslation.forecast(file(yaml), {
        format: Yaml.format,
        targets: ["de"]
      })
      yield* text(
        FileTranslation.translate(file(yaml), { format: Yaml.format, options: { targetLang: "de" } })
      )
      expect(requests.length).toBe(2)
      expect(forecast).toMatchObject({ requests: 2 })
    }).pipe(provide)
  })
})
