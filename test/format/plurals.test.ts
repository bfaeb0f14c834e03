import { describe, expect, it } from "@effect/vitest"
import { forms, formsWithZero, showsNumber } from "../../src/format/internal/plurals/plurals.js"

/** Which form of the source each category of the target is translated from. */
const sources = (
  texts: Readonly<Record<string, string>>,
  targetLang: string,
  sourceLang = "en",
  of: typeof forms = forms
) =>
  Object.fromEntries(
    of(Object.keys(texts), (form) => showsNumber(texts[form]!), { sourceLang, targetLang }).map(
      ({ category, source }) => [category, source]
    )
  )

const files = { one: "%d file", other: "%d files" }

describe("plural forms of the target", () => {
  it("are translated from the form of the same name", () => {
    expect(sources(files, "fr")).toStrictEqual({ one: "one", many: "other", other: "other" })
    expect(sources(files, "pt-BR")).toStrictEqual({ one: "one", many: "other", other: "other" })
    expect(sources(files, "ru")).toStrictEqual({ one: "one", few: "other", many: "other", other: "other" })
    const russian = { one: "%d файл", few: "%d файла", many: "%d файлов", other: "%d файла" }
    expect(sources(russian, "pl", "ru")).toStrictEqual({
      one: "one",
      few: "few",
      many: "many",
      other: "other"
    })
  })

  it("are not, if they are for 21 as well and the text does not show its number", () => {
    const file = { one: "a file", other: "%d files" }
    expect(sources(file, "ru").one).toBe("other")
    // For 0 and 1, and for 1 alone.
    expect(sources(file, "fr").one).toBe("one")
    expect(sources(file, "pl").one).toBe("one")
  })

  it("are remembered for texts that show their number and those that do not", () => {
    expect(sources({ one: "a file", other: "files" }, "uk").one).toBe("other")
    expect(sources(files, "uk").one).toBe("one")
    expect(sources({ one: "a file", other: "files" }, "uk").one).toBe("other")
  })

  it("are translated from the form that the source has for their numbers, where it has none of the name", () => {
    expect(sources(files, "ar")).toMatchObject({ zero: "other", one: "one", two: "other", few: "other" })
    expect(sources({ one: "%d файл", few: "%d файла", many: "%d файлов" }, "ja", "ru")).toStrictEqual({
      other: "few"
    })
  })

  it("are translated from the form that the source has for their fractions, where no whole number has them", () => {
    const latvian = { zero: "nav failu", one: "%d fails", other: "%d faili" }
    // The "many" of Czech is for 1.5, which is "other" in Latvian; 0 is "zero" there.
    expect(sources(latvian, "cs", "lv").many).toBe("other")
  })

  it("have zero for 0 in formats that have it in every language", () => {
    const zero = { zero: "no files", ...files }
    expect(sources(zero, "de", "en", formsWithZero)).toStrictEqual({
      zero: "zero",
      one: "one",
      other: "other"
    })
    expect(sources(zero, "ar", "en", formsWithZero).zero).toBe("zero")
    // In Latvian, "zero" is for 10 as well.
    expect(sources(zero, "lv", "en", formsWithZero).zero).toBe("other")
  })
})

describe("a text shows its number", () => {
  it.each(["%d file", "%1$s", "%lld", "%arg", "{{count}} files", "{n}", "%{count}", "%<count>d"])(
    "with a placeholder: %s",
    (text) => expect(showsNumber(text)).toBe(true)
  )

  it.each(["a file", "1 file", "٥", "<1>a file</1>", "<b>a</b> file", "a&#160;file"])(
    "not with anything else: %s",
    (text) => expect(showsNumber(text)).toBe(false)
  )
})
