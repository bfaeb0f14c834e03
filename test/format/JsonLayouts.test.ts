import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FormatJs from "../../src/format/FormatJs.js"
import * as FormatLaws from "../../src/format/FormatLaws.js"
import * as Formats from "../../src/format/Formats.js"
import * as I18next from "../../src/format/I18next.js"
import * as Json from "../../src/format/Json.js"
import * as XcStrings from "../../src/format/XcStrings.js"
import { merge, partsOf, rewrite, textsOf, unitsOf, untouched } from "./formats.js"

const json = (value: unknown): string => JSON.stringify(value)

/** Documents of each layout, their texts for German and Polish by their keys, and a translation of an older version. */
const layouts = {
  Docusaurus: {
    document: json({ "docs.next": { message: "Next page", description: "The label of the button" } }),
    texts: { '["docs.next"].message': "Next page" },
    target: json({})
  },
  "package.nls.json": {
    document: json({ open: "Open", close: { message: "Close", comment: ["Of a window", "A verb"] } }),
    texts: { open: "Open", "close.message": "Close" },
    target: json({ open: "Öffnen" })
  },
  Transifex: {
    document: json({
      open: { string: "Open", context: "menu", developer_comment: "A verb", character_limit: 8 }
    }),
    texts: { "open.string": "Open" },
    target: json({})
  },
  "go-i18n, a list": {
    document: json([
      { id: "read_more", translation: "Read more" },
      { id: "hours", translation: { one: "One hour", other: "{{.Count}} hours" } }
    ]),
    texts: {
      "[0].translation": "Read more",
      "[1].translation.one": "One hour",
      "[1].translation.other": "{{.Count}} hours"
    },
    target: json([{ id: "read_more", translation: "Mehr" }])
  },
  "go-i18n": {
    document: json({
      hours: { description: "On a clock", hash: "sha1-1", one: "One hour", other: "{{.Count}} hours" },
      hello: { other: "Hello" },
      bye: "Bye"
    }),
    texts: {
      "hours.one": "One hour",
      "hours.other": "{{.Count}} hours",
      "hello.other": "Hello",
      bye: "Bye"
    },
    target: json({ bye: "Tschüss" })
  },
  Angular: {
    document: json({ locale: "en", translations: { "123": "Hello {$INTERPOLATION}" } }),
    texts: { "translations.123": "Hello {$INTERPOLATION}" },
    target: json({ locale: "de", translations: {} })
  },
  Chrome: {
    document: json({
      hello: { message: "Hello $NAME$", placeholders: { name: { content: "$1", example: "Ann" } } }
    }),
    texts: { "hello.message": "Hello $NAME$" },
    target: json({})
  },
  "a schema": {
    document: json({ $schema: "https://example.org/messages.json", title: "Title" }),
    texts: { title: "Title" },
    target: json({ $schema: "https://example.org/messages.json" })
  }
}

/** The contexts and problems of a file by the keys of its parts. */
const told = (text: string) =>
  Effect.map(partsOf(Json.format, text), (parts) => {
    const found: Record<string, string | undefined> = {}
    for (const { context, problem, units } of parts) {
      if (problem !== undefined) found[problem.key ?? ""] = problem.message
      for (const { key } of units) found[key] = context
    }
    return found
  })

describe("A layout of JSON", () => {
  for (const [name, { document, target, texts }] of Object.entries(layouts)) {
    it.effect(`${name}: has its texts translated, and nothing else`, () =>
      Effect.gen(function* () {
        expect(yield* textsOf(Json.format, document)).toEqual(texts)
      })
    )

    it.effect(`${name}: keeps the laws of formats`, () =>
      Effect.forEach(
        FormatLaws.all.filter(({ appliesTo }) => appliesTo(Json.format)),
        (law) =>
          law.check(Json.format, {
            document: new TextEncoder().encode(document),
            target: new TextEncoder().encode(target),
            cuts: [3, 20]
          })
      )
    )
  }

  it.effect("gets the plural forms of the target", () =>
    Effect.gen(function* () {
      const { document } = layouts["go-i18n"]
      const written = yield* rewrite(Json.format, document, ({ key, text }) => `${key}|${text}`, {
        targetLang: "pl"
      })
      expect(JSON.parse(written)).toEqual({
        hours: {
          description: "On a clock",
          hash: "sha1-1",
          one: "hours.one|One hour",
          few: "hours.few|{{.Count}} hours",
          many: "hours.many|{{.Count}} hours",
          other: "hours.other|{{.Count}} hours"
        },
        hello: { other: "hello.other|Hello" },
        bye: "bye|Bye"
      })
    })
  )

  it.effect("keeps forms that only the target has", () =>
    Effect.gen(function* () {
      const merged = yield* merge(
        Json.format,
        layouts["go-i18n"].document,
        json({ hours: { one: "godzina", few: "godziny", many: "godzin", other: "godziny" } }),
        { targetLang: "de", removed: "drop" }
      )
      expect(Object.keys(JSON.parse(merged).hours)).toEqual(
        expect.arrayContaining(["one", "few", "many", "other", "description", "hash"])
      )
    })
  )

  it.effect("has notes as context, and limits", () =>
    Effect.gen(function* () {
      expect(yield* told(layouts["package.nls.json"].document)).toEqual({
        open: undefined,
        "close.message": "Of a window\nA verb"
      })
      expect(yield* told(layouts["go-i18n"].document)).toMatchObject({ "hours.one": "On a clock" })
      expect(yield* unitsOf(Json.format, layouts.Transifex.document)).toMatchObject([{ maxCharacters: 8 }])
    })
  )

  it.effect("is known by all entries, never by one", () =>
    Effect.gen(function* () {
      const lookalike = json({
        labels: { paste: "Paste", cut: "Cut" },
        errors: { defaultMessage: "Something went wrong" }
      })
      const detected = Formats.detect({ path: "en.json", head: lookalike })
      expect(Either.map(detected, ({ name }) => name)).toEqual(Either.right("json"))
      expect(yield* textsOf(Json.format, lookalike)).toEqual({
        "labels.paste": "Paste",
        "labels.cut": "Cut",
        "errors.defaultMessage": "Something went wrong"
      })
      expect(Object.values(yield* textsOf(FormatJs.format, lookalike))).toEqual([
        "Paste",
        "Cut",
        "Something went wrong"
      ])
    })
  )

  it.effect("that is not known has ids and notes told", () =>
    Effect.gen(function* () {
      const list = json([
        { id: "a-1", title: "Mug", text: "A mug", comment: "Sold out" },
        { id: "a-2", title: "Cup", text: "A cup", comment: "New" }
      ])
      const found = yield* told(list)
      expect(Object.keys(found)).toEqual([
        "[0].id",
        "[0].title",
        "[0].text",
        "[0].comment",
        "[1].title",
        "[1].text"
      ])
      expect(found["[0].id"]).toContain('"id" looks like the key of an id')
      expect(found["[0].comment"]).toContain('"comment" looks like the key of a note')
      expect(yield* untouched(Json.format, list)).toBe(list)
    })
  )

  it.effect("that is not known is not guessed where values are read as they are", () =>
    Effect.gen(function* () {
      const texts = {
        key: "Key",
        id: "Identity card",
        "page.description": "About us",
        items: ["One", "Two"]
      }
      expect(Object.keys(yield* textsOf(Json.format, json(texts)))).toEqual([
        "key",
        "id",
        '["page.description"]',
        "items[0]",
        "items[1]"
      ])
      const selected = Json.make({ select: ["*.id"] })
      expect(yield* textsOf(selected, json([{ id: "a" }, { id: "b" }]))).toEqual({
        "[0].id": "a",
        "[1].id": "b"
      })
    })
  )
})

describe("FormatJs", () => {
  it("is detected by a beginning whose last entry is cut", () => {
    const head = '{"a": {"id": "a", "defaultMessage": "A"}, "b": {"id": "b", "defa'
    expect(FormatJs.format.detect!("en.json", head)).toBe(true)
  })

  it.effect("takes messages at any depth, with their descriptions", () =>
    Effect.gen(function* () {
      const nested = json({
        Cart: { items: "{n, plural, one {# item} other {# items}}", empty: "Empty" },
        Home: { title: { defaultMessage: "Home", description: "A page" } }
      })
      expect(yield* textsOf(FormatJs.format, nested)).toEqual({
        "Cart.items": "{n, plural, one {# item} other {# items}}",
        "Cart.empty": "Empty",
        "Home.title": "Home"
      })
      expect(yield* merge(FormatJs.format, nested, json({ Cart: { empty: "Leer" } }))).toBe(
        json({
          Cart: { items: "{n, plural, one {# item} other {# items}}", empty: "Leer" },
          Home: { title: { defaultMessage: "Home", description: "A page" } }
        })
      )
    })
  )
})

describe("I18next of version 3", () => {
  const source = json({ file: "{{count}} file", file_plural: "{{count}} files", last: "Last" })

  it.effect("is detected by its plurals", () =>
    Effect.sync(() => {
      expect(I18next.format.detect!("en.json", source)).toBe(true)
      expect(I18next.format.detect!("en.json", json({ select_other: "Select another" }))).toBe(false)
    })
  )

  it.effect("gets the forms of the target, as i18next numbers them", () =>
    Effect.gen(function* () {
      const formsOf = (targetLang: string) =>
        Effect.map(
          rewrite(I18next.format, source, ({ text }) => text.toUpperCase(), { targetLang }),
          (text) => JSON.parse(text)
        )
      expect(yield* formsOf("de")).toEqual({
        file: "{{COUNT}} FILE",
        file_plural: "{{COUNT}} FILES",
        last: "LAST"
      })
      expect(yield* formsOf("pl")).toEqual({
        file_0: "{{COUNT}} FILE",
        file_1: "{{COUNT}} FILES",
        file_2: "{{COUNT}} FILES",
        last: "LAST"
      })
      expect(yield* formsOf("ja")).toEqual({ file_0: "{{COUNT}} FILES", last: "LAST" })
    })
  )

  it.effect("keeps the laws of formats in each language", () =>
    Effect.forEach(
      FormatLaws.all.filter(({ appliesTo }) => appliesTo(I18next.format)),
      (law) =>
        law.check(I18next.format, {
          document: new TextEncoder().encode(source),
          target: new TextEncoder().encode(json({ last: "Letzter" })),
          cuts: [5]
        })
    )
  )
})

describe("XcStrings", () => {
  it.effect("does not take entries that are stale", () =>
    Effect.gen(function* () {
      const catalogue = json({
        sourceLanguage: "en",
        strings: { Old: { extractionState: "stale" }, New: { extractionState: "manual" } },
        version: "1.0"
      })
      expect(yield* textsOf(XcStrings.format, catalogue)).toEqual({ New: "New" })
    })
  )
})
