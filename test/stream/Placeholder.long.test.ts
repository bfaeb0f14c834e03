/** Placeholders: in time in proportion to the text, and in the messages of TypeScript and their official translations. */
import { createRequire } from "node:module"
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { Placeholder } from "effect-translate"
import { PseudoTranslation } from "effect-translate/emulator"
import * as cpuTime from "../support/cpuTime.js"

const { protect, restore } = Placeholder

const found = (text: string) => protect(text).placeholders

const pseudo = (text: string) => PseudoTranslation.translate(text, "de", undefined, ["x"])

const html = { tagHandling: "html" } as const

describe("placeholders of plain text", () => {
  it.each([
    "{",
    "{{",
    "{a,plural,{",
    "$" + "{",
    "{a:",
    "<a ",
    '<a "',
    "<a \"<a '",
    "<!",
    "%(",
    "%0",
    "%",
    "<",
    "{ ",
    "&"
  ])("takes linear time for %s again and again", (unit) => {
    const text = unit.repeat(100_000 / unit.length)
    const zeros = unit + "0".repeat(100_000)
    const used = cpuTime.start()
    for (const each of [text, zeros, ` ${text}>`, `${text}}`]) {
      expect(Either.getOrThrow(restore(protect(each), protect(each).text))).toBe(each)
    }
    expect(used()).toBeLessThan(3000)
  })
})

describe("placeholders of HTML", () => {
  it.each(["<!--", "<![CDATA[", "<script>", "<", "<a ", "<a '", "{", "<b>{a}", '<x-ph id="1">', "<!"])(
    "takes linear time for %s again and again",
    (unit) => {
      const text = unit.repeat(400_000 / unit.length)
      const used = cpuTime.start()
      restore(protect(text, html), protect(text, html).text)
      expect(used()).toBeLessThan(3000)
    }
  )
})

/** What the authors of TypeScript and its translators agree on. */
describe("the diagnostics of TypeScript and their 13 translations", () => {
  const require = createRequire(import.meta.url)
  const { Diagnostics } = require("typescript") as {
    readonly Diagnostics: Readonly<Record<string, { code: number; key: string; message: string }>>
  }
  const locales = "cs de es fr it ja ko pl pt-br ru tr zh-cn zh-tw".split(" ")
  const translations = locales.map((locale): readonly [string, Readonly<Record<string, string>>] => [
    locale,
    require(`typescript/lib/${locale}/diagnosticMessages.generated.json`)
  ])
  const diagnostics = Object.values(Diagnostics).filter(({ key }) =>
    translations.every(([, texts]) => key in texts)
  )

  /** Where a translation differs: 6048 has words in angle brackets, the others name `{0}` once more than the source. */
  const exceptions = new Set([
    ...locales
      .filter((locale) => !["ja", "ko", "pt-br", "tr"].includes(locale))
      .map((locale) => `${locale} 6048`),
    "fr 2653",
    "ru 7022",
    "zh-tw 2540",
    "zh-tw 2588"
  ])

  it("hold the same placeholders, with 13 exceptions", () => {
    expect(diagnostics.length).toBeGreaterThanOrEqual(2073)
    const differing = diagnostics.flatMap(({ code, key, message }) => {
      const expected = [...found(message)].sort().join(" ")
      return translations
        .filter(([, texts]) => [...found(texts[key]!)].sort().join(" ") !== expected)
        .map(([locale]) => `${locale} ${code}`)
    })
    expect(new Set(differing)).toEqual(exceptions)
  })

  it("hold the same placeholders as a search for {0}, {1} … finds", () => {
    for (const { message } of diagnostics) {
      expect(found(message).filter((placeholder) => /^\{\d\}$/.test(placeholder))).toEqual(
        message.match(/\{\d\}/g) ?? []
      )
    }
  })

  it("keep all of them through pseudo-translation", () => {
    for (const { message } of diagnostics) {
      const restored = Either.getOrThrow(restore(protect(message), pseudo(protect(message).text)))
      expect([...found(restored)].sort()).toEqual([...found(message)].sort())
    }
  })

  it("are restored from their official translations, as if these had come from a translator", () => {
    for (const { code, key, message } of diagnostics) {
      for (const [locale, texts] of translations) {
        if (exceptions.has(`${locale} ${code}`)) continue
        const translated = texts[key]!
        expect(Either.getOrThrow(restore(protect(message), protect(translated).text))).toBe(translated)
      }
    }
  })
})
