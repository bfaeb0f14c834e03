import { describe, expect, it } from "@effect/vitest"
import type { Context } from "../../bench/checks/faults/fault.js"
import { type Damage, faults, makeFault } from "../../bench/checks/faults.js"
import { type Language, languages } from "../../bench/checks/languages.js"
import { makeRandom } from "../../bench/checks/random.js"
import { selfTalk } from "../../bench/checks/selfTalk.js"
import { sentencesOf } from "../../bench/checks/text.js"
import type * as Check from "../../src/text/Check.js"

const pairOf = (source: string, translation: string, targetLang: Language = "de"): Check.Pair => ({
  source,
  translation,
  sourceLang: "en",
  targetLang
})

const long = pairOf(
  "The file was not found. It may have been moved (see <b>Recent files</b>). Open {name} or %s after 30 days, or visit https://example.org/help/files in Firefox.",
  "Die Datei wurde nicht gefunden. Sie wurde vielleicht verschoben (siehe <b>Letzte Dateien</b>). Öffne nach 30 Tagen {name} oder %s, oder besuche https://example.org/help/files in Firefox."
)

const few = pairOf("Number of words: %s, of %d", "Anzahl der Wörter: %s, von %d")

const menu = pairOf("_Open & close", "_Öffne's")

const menuOfQt = pairOf("&Open it", "&Öffnen")

const sentences = pairOf(
  'The file "was" not found\nIt may have been moved.',
  'Die "Datei" wurde nicht gefunden\nSie wurde vielleicht verschoben.'
)

const two = pairOf(
  "The file was not found. It may have been moved.",
  "Die Datei wurde nicht gefunden. Sie wurde vielleicht verschoben."
)

const chinese = pairOf("The file was not found", "没有找到您要打开的这个文件", "zh-Hans")

const short = pairOf("Save 3 “files” now", "Jetzt 3 „Dateien“ sichern")

const contextOf = (seed: number, language: Language = "de"): Context => ({
  language,
  random: makeRandom(`${seed}`),
  elsewhere: (source) => [
    [
      "fr",
      `Le texte « ${source.slice(0, 10)} » en français est long : ${"bien plus long encore ".repeat(4)}.`
    ],
    ["it", "Salva adesso questi tre documenti"],
    ["ru", "Сохраните сейчас эти три файла"],
    ...(language === "zh-Hans" ? [["zh-Hant", "沒有找到您要開啟的這個檔案"] as const] : [])
  ],
  terms: new Map([
    ["file", "datei"],
    ["files", "dateien"],
    ["window", "fenster"]
  ]),
  pairs: [
    { source: "Save the file", translation: "Sichere die Datei" },
    { source: "Open the window", translation: "Öffne das Fenster" }
  ]
})

const seeds = Array.from({ length: 40 }, (_, seed) => seed)

const named = (name: string) => faults.find((fault) => fault.name === name)!

/** Of a pair, with many seeds, all different. */
const damaged = (name: string, pair: Check.Pair = long): ReadonlyArray<Damage> =>
  seeds.flatMap((seed) => makeFault(named(name), pair, contextOf(seed, pair.targetLang as Language)) ?? [])

const made = (name: string, pair?: Check.Pair): ReadonlyArray<Check.Pair> =>
  damaged(name, pair).map(({ faulty }) => faulty)

const translationsOf = (name: string, pair?: Check.Pair) =>
  made(name, pair).map(({ translation }) => translation)

/** What of a text is not at the start nor at the end of the other. */
const changedPart = (text: string, other: string): string => {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  let end = text.length
  for (let at = other.length; end > start && at > start && text[end - 1] === other[at - 1]; at--) end--
  return text.slice(start, end)
}

describe("each fault", () => {
  it.each(faults)("changes the translation and nothing else that is known: $name", (fault) => {
    const pairs = [long, short, few, menu, menuOfQt, sentences, two, chinese]
    const all = pairs.flatMap((pair) => damaged(fault.name, pair))
    expect(all.length).toBeGreaterThan(0)
    for (const { faulty, right } of all) {
      const { glossary, placeholders, translation, ...rest } = faulty
      expect({ ...rest, translation: right.translation }).toEqual(right)
      expect(translation).not.toBe(right.translation)
    }
  })

  it.each(faults)("is the same with the same seed: $name", ({ name }) => {
    expect(made(name)).toEqual(made(name))
  })
})

describe("faults of wording", () => {
  it("an empty translation shows nothing", () => {
    for (const translation of translationsOf("empty")) expect(translation.replace(/[\s\u200b]/g, "")).toBe("")
  })

  it("the source is as it was", () => {
    expect(new Set(translationsOf("the source, from 20 characters on"))).toEqual(new Set([long.source]))
    expect(new Set(translationsOf("the source, shorter", short))).toEqual(new Set([short.source]))
  })

  it.each(["word repeated", "phrase repeated", "all repeated"])(
    "%s stands three times or more in its place",
    (name) => {
      for (const translation of translationsOf(name, pairOf("One two three four", "eins zwei drei vier"))) {
        expect(translation.replace(/(?<= |^)(\S.*?)(?: \1){2,}(?= |$)/, "$1")).toBe("eins zwei drei vier")
      }
    }
  )

  it("a repetition in a language without spaces has none", () => {
    const pair = pairOf("Please save the document", "文書を保存してください", "ja")
    for (const name of ["word repeated", "phrase repeated", "all repeated"]) {
      for (const translation of translationsOf(name, pair)) expect(translation).not.toContain(" ")
    }
  })

  it("one word for a sentence is a word of the translation", () => {
    for (const word of translationsOf("one word for a sentence")) {
      expect(word).toMatch(/^\p{L}+$/u)
      expect(long.translation).toContain(word)
    }
  })

  it("a sentence of three is left out, and the others stay", () => {
    const sentences = sentencesOf(long.translation, "de").map(({ text }) => text)
    expect(sentences).toHaveLength(3)
    expect(new Set(translationsOf("sentence of three or more left out"))).toEqual(
      new Set([
        sentences[1]! + sentences[2]!,
        sentences[0]! + sentences[2]!,
        (sentences[0]! + sentences[1]!).trimEnd()
      ])
    )
  })

  it("a sentence of two is left out", () => {
    expect(new Set(translationsOf("sentence of two left out", two))).toEqual(
      new Set(["Die Datei wurde nicht gefunden.", "Sie wurde vielleicht verschoben."])
    )
  })

  it("the second half of a text is English", () => {
    const pair = pairOf(
      "We have not found the file that you opened here",
      "Wir haben die Datei nicht gefunden, die Sie hier geöffnet haben"
    )
    expect(new Set(translationsOf("second half in English", pair))).toEqual(
      new Set(["Wir haben die Datei nicht file that you opened here"])
    )
  })

  it("an item of a list is left out of the translation alone", () => {
    for (const { faulty, right } of damaged("item of a list left out", two)) {
      expect(faulty.source).toBe(right.source)
      expect(right.translation.split("\n").length - faulty.translation.split("\n").length).toBe(1)
    }
  })

  it("a text is cut within a word", () => {
    expect(new Set(translationsOf("cut within a word at 60 %", two))).toEqual(
      new Set(["Die Datei wurde nicht gefunden. Sie wu"])
    )
  })
})

describe("faults of encoding", () => {
  const pair = pairOf("Save the files", "Dateien für Ömer sichern")

  it.each([
    ["letters that are question marks", "Dateien f?r ?mer sichern"],
    ["letters that are replacement characters", "Dateien f\ufffdr \ufffdmer sichern"],
    ["letters as escapes of JSON", "Dateien f\\u00fcr \\u00d6mer sichern"],
    ["letters as entities", "Dateien f&#252;r &#214;mer sichern"],
    ["& escaped", "Dateien für Ömer sichern (R &amp; D)"],
    ["& escaped twice", "Dateien für Ömer sichern (R &amp;amp; D)"]
  ])("%s", (name, translation) => {
    expect(new Set(translationsOf(name, pair))).toEqual(new Set([translation]))
  })

  it("UTF-8 is read as another encoding, once or twice", () => {
    expect(translationsOf("UTF-8 read as another encoding", pair)).toContain("Dateien fÃ¼r Ã–mer sichern")
  })
})

describe("faults of figures", () => {
  const pair = pairOf("Save the files.", "Dateien sichern.")

  it.each([
    ["decimal point lost", /^Dateien sichern \(\d{2,3}\)\.$/],
    ["decimals lost", /^Dateien sichern \(\d{1,2}\)\.$/],
    ["zero before the decimal point lost", /^Dateien sichern \(\d\)\.$/],
    ["percent sign lost", /^Dateien sichern \(\d\d\)\.$/],
    ["day and month exchanged", /^Dateien sichern \(\d{4}-\d\d-\d\d\)\.$/]
  ] as const)("%s", (name, pattern) => {
    for (const translation of translationsOf(name, pair)) expect(translation).toMatch(pattern)
  })
})

describe("faults of formats", () => {
  it.each([
    ["unnumbered conversions exchanged", few, ["Anzahl der Wörter: %d, von %s"]],
    ["accelerator _ lost", menu, ["Öffne's"]],
    ["accelerator & lost", menuOfQt, ["Öffnen"]],
    ["accelerator & lost", pairOf("&Open it", "打开(&O)", "zh-Hans"), ["打开"]],
    ["heading lost", menuOfQt, ["&Öffnen"]],
    ["both quotation marks lost", pairOf('Save "it"', "Sichere „es“"), ["Sichere es"]]
  ] as const)("%s", (name, pair, translations) => {
    expect(new Set(translationsOf(name, pair))).toEqual(new Set(translations))
  })

  it("a plural has all categories of the language, and loses one", () => {
    for (const { faulty, right } of damaged("branch of a plural lost", pairOf("files", "plików", "pl"))) {
      expect(right.translation).toBe(
        "{count, plural, =0 {plików} few {# plików} many {# plików} one {# plików} other {# plików}}"
      )
      expect(faulty.translation.split("{").length).toBe(6)
    }
  })
})

describe("faults of marks", () => {
  it.each([
    ["tag lost or changed", /^<?\/?b?>?$/],
    ["placeholder lost or changed", /^(?:\{?(?:name)?\}?|%?s?) ?$/],
    ["placeholder that is known lost", /^(?:Firefox|[a-z]| )*$/],
    ["URL or address changed", /^\S* ?$/],
    ["bracket lost", /^[()]$/],
    ["direction that is not ended", /^$/],
    ["control character", /^$/],
    ["number of two digits or more", /^\d{0,2} ?$/]
  ] as const)("%s: all around it stays", (name, part) => {
    const all = translationsOf(name)
    expect(all.length).toBe(seeds.length)
    for (const translation of all) expect(changedPart(long.translation, translation)).toMatch(part)
  })

  it("a placeholder that is known is where its range says", () => {
    for (const { placeholders, source } of made("placeholder that is known lost")) {
      expect(placeholders!.map(({ end, start }) => source.slice(start, end))).toEqual(["Firefox"])
    }
  })

  it("a number of two digits is not made of a single one, nor of a part of a word", () => {
    const name = "number of two digits or more"
    expect(made(name, pairOf("Take 3 of MP34, %20s and 1.25", "Nimm 3 von MP34, %20s und 1.25"))).toEqual([])
    expect(translationsOf("single digit", short).every((text) => !text.includes("3"))).toBe(true)
  })

  it("a mark that the source does not have is no fault if it is lost", () => {
    const pair = pairOf("Bold text", "<b>Fetter</b> Text (%s) 40")
    for (const name of [
      "tag lost or changed",
      "placeholder lost or changed",
      "bracket lost",
      "number of two digits or more"
    ]) {
      expect(made(name, pair)).toEqual([])
    }
  })

  it("a quotation mark is lost", () => {
    expect(new Set(translationsOf("quotation mark lost", short))).toEqual(
      new Set(["Jetzt 3 Dateien“ sichern", "Jetzt 3 „Dateien sichern"])
    )
  })
})

describe("faults of language", () => {
  it("another language has the same script, or else it is another script", () => {
    expect(new Set(translationsOf("another language, shorter"))).toEqual(
      new Set(["Salva adesso questi tre documenti"])
    )
    expect(translationsOf("another language, from 80 characters on")[0]).toMatch(/^Le texte/)
    expect(new Set(translationsOf("another script"))).toEqual(new Set(["Сохраните сейчас эти три файла"]))
  })

  it.each(languages)("a model speaks of itself in the language of the translation: %s", (language) => {
    const pair = pairOf("Save", "…", language)
    const { introductions, notes, refusals } = selfTalk[language]
    for (const translation of translationsOf("refusal of a model", pair))
      expect(refusals).toContain(translation)
    for (const translation of translationsOf("introduction of a model", pair)) {
      expect(introductions).toContain(translation.replace(/\s+…$/, ""))
    }
    for (const translation of translationsOf("note of a model", pair)) {
      expect(notes).toContain(translation.replace(/^…\s+/, ""))
    }
  })

  it("a term of the glossary stands in the source, and no longer in the translation", () => {
    for (const { glossary, source, translation } of made("term of the glossary not used")) {
      for (const [term, target] of glossary!) {
        expect(source).toContain(term)
        expect(translation.toLowerCase()).not.toContain(target)
      }
    }
  })
})
