import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { TranslationStore } from "effect-translate"
import { StoreExchange } from "effect-translate/store"
import * as fc from "fast-check"
import { bytes, collect, concat, text, untilError } from "../format/support.js"
import { runs } from "../support/long.js"
import { openStore } from "../support/openStore.js"

const { csv, jsonl, tmx } = StoreExchange

const formats = [csv, jsonl, tmx]

const at = DateTime.unsafeMake("2026-01-31T23:59:58.123Z")

const namespace: TranslationStore.Namespace = {
  endpoint: "POST /v2/translate",
  service: "https://service.test",
  account: "0123",
  sourceLang: "en",
  targetLang: "de",
  settings: '{"context":"a < b","formality":"more"}'
}

const entry: StoreExchange.Item = {
  source: "one",
  translation: { text: "eins", detectedSourceLanguage: "en", billedCharacters: 3, modelTypeUsed: "q" },
  namespace,
  at
}

const correction: StoreExchange.Item = {
  source: "one",
  translation: "Eins",
  sourceLang: "en",
  targetLang: "de",
  at
}

const written = (format: StoreExchange.ExchangeFormat, items: Iterable<StoreExchange.Item>) =>
  text(format.encode(Stream.fromIterable(items)))

const read = (format: StoreExchange.ExchangeFormat, file: string, options?: StoreExchange.DecodeOptions) =>
  collect(format.decode(options)(bytes(file)))

const failure = (format: StoreExchange.ExchangeFormat, file: string) =>
  untilError(format.decode({ file: "x" })(bytes(file)))

/** As `toEqual` sees them: without fields that hold nothing. */
const plain = (items: Iterable<StoreExchange.Item>) => JSON.parse(JSON.stringify(Array.from(items)))

const hostile = [
  "two\r\nlines\n\rand\r",
  "<b>&amp;</b> ]]> <!-- <seg>",
  "a,\"b\";\t'c'",
  " blanks ",
  '{"source":1}',
  "\uFEFFe\u0301\u2028\u{1F600}",
  "=1+1"
]

describe.each(formats)("the format $name", (format) => {
  it.effect("keeps hostile texts as they are", () =>
    Effect.gen(function* () {
      const items = hostile.flatMap(
        (source): ReadonlyArray<StoreExchange.Item> => [
          { ...correction, source, translation: `${source}!` },
          { ...entry, source, translation: { text: `${source}!` } }
        ]
      )
      expect(yield* read(format, yield* written(format, items))).toEqual(items)
    })
  )

  it.effect("makes a translation of the machine answer again under its own key in another store", () =>
    Effect.gen(function* () {
      const [from, to] = yield* Effect.all([TranslationStore.makeMemory(), TranslationStore.makeMemory()])
      const record = (store: TranslationStore.Service, other: Partial<TranslationStore.Namespace>) =>
        Effect.flatMap(openStore(store, { ...namespace, ...other }), (session) =>
          session.record([{ text: "one", translation: { text: JSON.stringify(other) } }])
        )
      const others = [{}, { account: "4567" }, { sourceLang: undefined }, { targetLang: undefined }]
      for (const other of others) yield* record(from, other)
      yield* from.correct([{ ...correction, source: "two", translation: "Zwei" }])
      const file = yield* text(format.encode(StoreExchange.exportAll(from)))
      const counts = yield* StoreExchange.importAll(format.decode()(bytes(file)), to)
      expect(counts).toMatchObject({ corrections: 1, entries: others.length, knownEntries: 0 })
      for (const other of others) {
        const session = yield* openStore(to, { ...namespace, ...other })
        expect(yield* session.lookUp(["one"])).toEqual([{ text: JSON.stringify(other) }])
      }
      const session = yield* openStore(to, namespace)
      expect(yield* session.lookUp(["two"])).toMatchObject([{ text: "Zwei" }])
      expect(yield* (yield* openStore(to, { ...namespace, settings: "{}" })).lookUp(["one"])).toEqual([
        undefined
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("keeps the terms of a glossary that a translation depends on", () =>
    Effect.gen(function* () {
      const items = [entry, { ...entry, terms: "0123456789abcdef" }]
      const file = yield* written(format, items)
      expect(plain(yield* read(format, file))).toEqual(plain(items))
      const store = yield* TranslationStore.makeMemory()
      yield* StoreExchange.importAll(Stream.fromIterable(yield* read(format, file)), store)
      expect(
        plain(yield* collect(store.entries)).map(({ terms }: { readonly terms?: string }) => terms)
      ).toEqual([undefined, "0123456789abcdef"])
    })
  )

  it.effect("writes nothing but a header for a store that is empty", () =>
    Effect.gen(function* () {
      expect(yield* read(format, yield* written(format, []))).toEqual([])
    })
  )

  const language = fc.constantFrom("en", "de", "pt-BR", "zh-Hans", undefined)
  const characters =
    format === jsonl ? fc.string16bits({ maxLength: 12 }) : fc.fullUnicodeString({ maxLength: 12 })
  const string =
    format === tmx
      ? characters.map((value) => value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""))
      : characters
  const name = fc.string({ minLength: 1, maxLength: 8 })
  const time = fc.integer({ min: 0, max: 4e12 }).map((millis) => DateTime.unsafeMake(millis))
  const anyCorrection = fc.record({
    source: string,
    translation: string,
    sourceLang: language,
    targetLang: fc.constantFrom("en", "de", "en-US"),
    at: time
  })
  const anyEntry = fc.record({
    source: string,
    translation: fc.record({
      text: string,
      detectedSourceLanguage: language,
      billedCharacters: fc.option(fc.nat(), { nil: undefined }),
      modelTypeUsed: fc.option(name, { nil: undefined })
    }),
    namespace: fc.record({
      endpoint: name,
      service: name,
      account: fc.string(),
      sourceLang: language,
      targetLang: language,
      settings: fc.json()
    }),
    at: time
  })

  it.effect.prop(
    "reads its own output",
    [fc.array(fc.oneof(anyCorrection, anyEntry), { maxLength: 8 })],
    ([items]) =>
      Effect.gen(function* () {
        const file = yield* collect(format.encode(Stream.fromIterable(items)))
        const read = yield* collect(format.decode()(Stream.make(concat(file))))
        expect(plain(read)).toEqual(plain(items))
      }),
    { fastCheck: { numRuns: runs(60) } }
  )
})

describe.each(formats)("an export in $name that a person has edited", (format) => {
  const other = { ...namespace, settings: "{}" }

  /** A store with three translations, its export with one of them edited, and the import of a file into it. */
  const edited = Effect.gen(function* () {
    yield* TestClock.setTime(at.epochMillis)
    const store = yield* TranslationStore.makeMemory()
    yield* store.add([
      { ...entry, source: "Save", translation: { text: "Speichern" } },
      { ...entry, source: "Save", translation: { text: "Sichern" }, namespace: other },
      { ...entry, source: "Open", translation: { text: "Öffnen" } }
    ])
    const file = yield* text(format.encode(StoreExchange.exportAll(store)))
    expect(file.split("Speichern")).toHaveLength(2)
    const read = (content: string, into = store) =>
      StoreExchange.importAll(format.decode()(bytes(content)), into)
    return { file, edit: file.replace("Speichern", "Ablegen"), read, store }
  })

  const none = {
    corrections: 0,
    entries: 0,
    knownCorrections: 0,
    knownEntries: 0,
    outdated: 0,
    withoutLanguage: 0
  }

  it.effect("gives a correction of the text that differs, which counts with any options", () =>
    Effect.gen(function* () {
      const { edit, read, store } = yield* edited
      expect(yield* read(edit)).toEqual({ ...none, corrections: 1, knownEntries: 2 })
      for (const each of [namespace, other]) {
        const session = yield* openStore(store, each)
        expect(yield* session.lookUp(["Save"])).toMatchObject([{ text: "Ablegen" }])
      }
      expect(yield* collect(store.corrections)).toEqual([
        { source: "Save", translation: "Ablegen", sourceLang: "en", targetLang: "de", at }
      ])
      expect(
        yield* store.translated(
          ["Save", "Open", "?"].map((source) => ({ source })),
          namespace
        )
      ).toEqual([{ text: "Speichern" }, { text: "Öffnen" }, undefined])
    }).pipe(Effect.scoped)
  )

  it.effect("changes nothing when it is read once more, nor does the export that nobody has edited", () =>
    Effect.gen(function* () {
      const { edit, file, read, store } = yield* edited
      yield* read(edit)
      const before = [yield* store.stats, yield* store.correctionsRevision("de")]
      expect(yield* read(edit)).toEqual({ ...none, knownCorrections: 1, knownEntries: 2 })
      expect(yield* read(file)).toEqual({ ...none, knownEntries: 3 })
      expect([yield* store.stats, yield* store.correctionsRevision("de")]).toEqual(before)
    })
  )

  it.effect("is one of the machine with its namespace for a store that does not have the text", () =>
    Effect.gen(function* () {
      const { edit, read } = yield* edited
      const empty = yield* TranslationStore.makeMemory()
      expect(yield* read(edit, empty)).toEqual({ ...none, entries: 3 })
      expect(yield* empty.translated([{ source: "Save" }], namespace)).toEqual([{ text: "Ablegen" }])
    })
  )

  it.effect("gives way to a newer correction of the store, and is counted", () =>
    Effect.gen(function* () {
      const { edit, read, store } = yield* edited
      const newer = { source: "Save", translation: "Merken", sourceLang: "en", targetLang: "de" }
      yield* store.correct([{ ...newer, at: DateTime.add(at, { seconds: 1 }) }])
      expect(yield* read(edit)).toEqual({ ...none, outdated: 1, knownEntries: 2 })
      expect(yield* store.corrected(["Save"], newer)).toEqual(["Merken"])
    })
  )

  it.effect("tells edited texts that have no target language, of which there are no corrections", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const rephrased = { ...entry, namespace: { ...namespace, targetLang: undefined } }
      yield* store.add([rephrased])
      const file = yield* written(format, [{ ...rephrased, translation: { text: "uno" } }])
      const counts = yield* StoreExchange.importAll(format.decode()(bytes(file)), store)
      expect(counts).toEqual({ ...none, withoutLanguage: 1 })
    })
  )
})

describe("a file of a person", () => {
  it.effect("is read as corrections, written now, in the languages of the options", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1000)
      const now = DateTime.unsafeMake(1000)
      const options = { sourceLang: "en", targetLang: "de" }
      const expected = [{ source: "one", translation: "Eins", sourceLang: "en", targetLang: "de", at: now }]
      expect(yield* read(csv, "note,source,translation\nn,one,Eins\n", options)).toEqual(expected)
      expect(yield* read(jsonl, '\n{"source":"one","translation":"Eins"}\n', options)).toEqual(expected)
    })
  )

  it.effect("of CSV may name languages and times of its own", () =>
    Effect.gen(function* () {
      const file = "source,translation,targetLang,at\none,Un,fr,2026-01-31T23:59:58.123Z\n"
      expect(yield* read(csv, file, { targetLang: "de" })).toEqual([
        { source: "one", translation: "Un", sourceLang: undefined, targetLang: "fr", at }
      ])
    })
  )

  const memory = `<tmx version="1.4"><header srclang="en"/><body>
    <tu creationdate="20260131T235958Z">
      <tuv xml:lang="fr"><seg>Oui</seg></tuv>
      <tuv xml:lang="EN_us"><seg>Yes</seg></tuv>
      <tuv xml:lang="de-DE"><seg>Ja</seg></tuv>
    </tu>
    <tu srclang="*all*"><tuv xml:lang="fr"><seg>Non</seg></tuv><tuv xml:lang="en"><seg>No</seg></tuv></tu>
  </body></tmx>`

  it.effect("of TMX gives a correction for each language that a unit is translated into", () =>
    Effect.gen(function* () {
      const corrections = yield* read(tmx, memory)
      expect(corrections).toMatchObject([
        { source: "Yes", translation: "Oui", sourceLang: "EN_us", targetLang: "fr" },
        { source: "Yes", translation: "Ja", sourceLang: "EN_us", targetLang: "de-DE" },
        { source: "Non", translation: "No", sourceLang: "fr", targetLang: "en" }
      ])
      expect(DateTime.formatIso(corrections[0]!.at)).toBe("2026-01-31T23:59:58.000Z")
    })
  )

  it.effect("of TMX gives those between two languages, named as they were asked for", () =>
    Effect.gen(function* () {
      const between = (sourceLang: string, targetLang: string) =>
        Effect.map(read(tmx, memory, { sourceLang, targetLang }), (items) =>
          items.map(({ at: _, ...item }) => item)
        )
      const languages = { sourceLang: "en", targetLang: "de" }
      expect(yield* between("en", "de")).toEqual([{ source: "Yes", translation: "Ja", ...languages }])
      expect(yield* between("fr", "en")).toMatchObject([
        { source: "Oui", translation: "Yes" },
        { source: "Non", translation: "No" }
      ])
      expect(yield* between("de", "de")).toEqual([])
      expect(yield* between("es", "en")).toEqual([])
    })
  )
})

describe("a file that can't be read", () => {
  const good = '{"source":"good","translation":"gut","targetLang":"de"}\n'
  const secret = '"source":"secret"'

  it.effect.each([
    ["{", undefined],
    [`{${secret}}`, "translation"],
    [`{${secret},"translation":"secret"}`, "targetLang"],
    [`{${secret},"translation":"secret","targetLang":"de","at":"secret"}`, "at"],
    [`{${secret},"translation":7,"targetLang":"de"}`, "translation"],
    [`{${secret},"translation":"secret","billedCharacters":-1}`, "billedCharacters"],
    [`{${secret},"translation":"secret","endpoint":"secret"}`, "account"],
    ["[]", undefined]
  ] as const)("names line and field of JSON Lines, and no text: %s", ([line, key]) =>
    Effect.gen(function* () {
      const { error, values } = yield* failure(jsonl, `${good}\n${line}\n${good}`)
      expect(values.length).toBe(1)
      expect(error).toMatchObject({ _tag: "FormatError", format: "jsonl", file: "x", line: 3 })
      expect(error.key).toBe(key)
      expect(error.message).toContain("x, line 3")
      expect(error.message).not.toContain("secret")
      expect(error.message).not.toContain("schema")
    })
  )

  it.effect.each([
    ["source,translation,at\nsecret,secret,secret\n", "at"],
    ["source,translation,billedCharacters\nsecret,secret,1.5\n", "billedCharacters"],
    ["source,translation\nsecret,secret\n", "targetLang"],
    ["source,target\nsecret,secret\n", "translation"],
    ["source,translation,endpoint,account\nsecret,secret,secret,\n", "service"]
  ])("names line and column of CSV, and no text: %s", ([file, key]) =>
    Effect.gen(function* () {
      const { error } = yield* failure(csv, file!)
      expect(error).toMatchObject({ _tag: "FormatError", format: "csv", file: "x", line: 2, key })
      expect(error.message).toContain("Line 2")
      expect(error.message).not.toContain("secret")
      expect(error.message).not.toContain("schema")
    })
  )

  it.effect.each([
    [csv, "source,translation\nsecret,secret\n"],
    [jsonl, '{"source":"secret","translation":"secret"}\n']
  ] as const)("says so where a correction has no target language: %s", ([format, file]) =>
    Effect.gen(function* () {
      const { error } = yield* failure(format, file)
      expect(error.message).toContain("none was named for the whole file")
    })
  )

  it.effect.each(["namespace", "translation", "at"])(
    "names unit and property of TMX, and no text: %s",
    (name) =>
      Effect.gen(function* () {
        const file = yield* written(tmx, [correction, entry])
        const type = `x-effect-translate-${name}`
        const [head, first, second] = file.split("<tu ") as [string, string, string]
        const damaged = second.replace(new RegExp(`"${type}">[^<]*<`), `"${type}">secret<`)
        const { error, values } = yield* failure(tmx, [head, first, damaged].join("<tu "))
        expect(values.length).toBe(1)
        expect(error).toMatchObject({ _tag: "FormatError", format: "tmx", file: "x", key: "2" })
        expect(error.message).toContain(type)
        expect(error.message).not.toContain("secret")
      })
  )
})

describe("half of a surrogate pair", () => {
  it.effect("is kept by JSON Lines, and refused by the others after the items before it", () =>
    Effect.gen(function* () {
      const bad = { ...correction, source: "secret\uD800" }
      expect(yield* read(jsonl, yield* written(jsonl, [bad]))).toEqual([bad])
      for (const format of [csv, tmx]) {
        const { error, values } = yield* untilError(format.encode(Stream.make(correction, bad)))
        expect(new TextDecoder().decode(concat(values))).toContain("Eins")
        expect(error._tag).toBe("FormatError")
        expect(error.message).not.toContain("secret")
      }
    })
  )
})
