/** What every backend of a store does: `conformance` registers these tests for one. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Backend } from "../../src/store/StoreBackend.js"
import type { Correction, Stats, StoredTranslation } from "../../src/store/TranslationStore.js"
import * as model from "./conformanceModel.js"
import * as shared from "./conformanceShared.js"
import {
  a,
  at,
  attemptsOf,
  b,
  begin,
  c,
  d,
  end,
  english,
  french,
  german,
  germanLess,
  hashOf,
  key,
  keysOf,
  opened,
  put,
  type Subject,
  sleep,
  terms as someTerms
} from "./subject.js"

/** Makes an empty store, and from it one owner. */
type Use = <A, E>(
  use: (backend: Backend) => Effect.Effect<A, E, Scope.Scope>
) => Effect.Effect<A, unknown, Scope.Scope>

const idle = { attempts: 0, characters: 0 }
const noAttempts: Stats["attempts"] = {
  inFlight: idle,
  answered: idle,
  rejected: idle,
  unknown: idle,
  expired: idle
}

const correction = (source: string, translation: string, other: Partial<Correction> = {}) => ({
  source,
  translation,
  targetLang: "de",
  at: at(1),
  ...other,
  hash: hashOf(source)
})

const translations = (use: Use) => {
  it.scopedLive("keeps a translation whatever the service says of it", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* opened(backend, german)
        const odd = { text: "Eins", detectedSourceLanguage: "e\0n", modelTypeUsed: "q\0o" }
        yield* put(backend, german, { one: { ...odd, billedCharacters: 3.5 }, two: { text: "Zwei" } })
        const [one, two] = yield* backend.find(german.id, keysOf("one", "two"))
        expect(one).toMatchObject(odd)
        expect(two).toEqual({ text: "Zwei" })
      })
    )
  )

  it.scopedLive("finds translations by their keys, in the order of the question", () =>
    use((backend) =>
      Effect.gen(function* () {
        const full = {
          text: "Eins",
          detectedSourceLanguage: "en",
          billedCharacters: 3,
          modelTypeUsed: "quality_optimized"
        }
        expect(yield* backend.find(german.id, [])).toEqual([])
        expect(yield* backend.find(german.id, keysOf("one", "two"))).toEqual([undefined, undefined])
        yield* put(backend, german, { one: full, two: { text: "Zwei" } })
        expect(yield* backend.find(german.id, keysOf("two", "none", "one", "two"))).toEqual([
          { text: "Zwei" },
          undefined,
          full,
          { text: "Zwei" }
        ])
      })
    )
  )

  it.scopedLive("keeps the first translation of a text", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* put(backend, german, { one: { text: "Eins" } })
        yield* put(backend, german, { one: { text: "Ein" }, two: { text: "Zwei" } })
        expect(yield* backend.find(german.id, keysOf("one", "two"))).toEqual([
          { text: "Eins" },
          { text: "Zwei" }
        ])
      })
    )
  )

  it.scopedLive("keeps texts of any characters as they are", () =>
    use((backend) =>
      Effect.gen(function* () {
        const hostile = [
          "",
          " \t\r\n",
          "'; DROP TABLE translations; --",
          '"quoted", \\escaped\\',
          "\u0000 and \u0001",
          "\uFEFF\u2028\u{1F600}e\u0301",
          "<b>&amp;</b>",
          "%s $1 ?1 :name",
          "long ".repeat(30_000)
        ]
        yield* put(backend, german, Object.fromEntries(hostile.map((text) => [text, { text: `${text}!` }])))
        expect(yield* backend.find(german.id, keysOf(...hostile))).toEqual(
          hostile.map((text) => ({ text: `${text}!` }))
        )
        const entries = yield* Stream.runCollect(backend.entries)
        expect(new Set(Chunk.map(entries, ({ source }) => source))).toEqual(new Set(hostile))
        yield* backend.correct(hostile.map((text) => correction(text, `${text}?`)))
        const corrected = yield* backend.findCorrections(hostile.map(hashOf), { targetLang: "de" })
        expect(corrected).toEqual(hostile.map((text) => `${text}?`))
      })
    )
  )

  it.scopedLive("takes thousands of texts in one question, claim or recording", () =>
    use((backend) =>
      Effect.gen(function* () {
        const texts = Array.from({ length: 4000 }, (_, index) => `text ${index}`)
        const granted = yield* begin(backend, a, texts)
        expect(granted.every((isGranted) => isGranted)).toBe(true)
        yield* put(backend, german, Object.fromEntries(texts.map((text) => [text, { text }])))
        expect(yield* backend.find(german.id, keysOf(...texts))).toEqual(texts.map((text) => ({ text })))
        expect((yield* begin(backend, b, texts)).some((isGranted) => isGranted)).toBe(false)
        yield* backend.correct(texts.map((text) => correction(text, text)))
        expect(yield* backend.findCorrections(texts.map(hashOf), { targetLang: "de" })).toEqual(texts)
        expect(Chunk.size(yield* Stream.runCollect(backend.entries))).toBe(4000)
      })
    )
  )

  it.scopedLive(
    "forgets nothing, but a translation from before a time does not count for a caller that names the time",
    () =>
      use((backend) =>
        Effect.gen(function* () {
          yield* put(backend, german, { one: { text: "Eins" } })
          yield* sleep(10)
          const refreshBefore = yield* DateTime.now
          yield* sleep(10)
          yield* put(backend, german, { two: { text: "Zwei" } })
          const keys = keysOf("one", "two")
          expect(yield* backend.find(german.id, keys)).toEqual([{ text: "Eins" }, { text: "Zwei" }])
          expect(yield* backend.find(german.id, keys, refreshBefore)).toEqual([undefined, { text: "Zwei" }])
          expect(yield* begin(backend, a, ["one", "two"], refreshBefore)).toEqual([true, false])
          const fresh = { one: { text: "Ein" }, two: { text: "Zwo" } }
          yield* put(backend, german, fresh, refreshBefore)
          expect(yield* backend.find(german.id, keys, refreshBefore)).toEqual([
            { text: "Ein" },
            { text: "Zwei" }
          ])
          expect(yield* backend.find(german.id, keys)).toEqual([{ text: "Ein" }, { text: "Zwei" }])
        })
      )
  )

  it.scopedLive("counts translations of a refresh as new, though its clock is ahead of the store's", () =>
    use((backend) =>
      Effect.gen(function* () {
        const refreshBefore = DateTime.add(yield* DateTime.now, { minutes: 5 })
        yield* put(backend, german, { one: { text: "Eins" } })
        yield* put(backend, german, { one: { text: "Ein" } }, refreshBefore)
        expect(yield* backend.find(german.id, keysOf("one"), refreshBefore)).toEqual([{ text: "Ein" }])
        expect(yield* begin(backend, a, ["one"], refreshBefore)).toEqual([false])
        yield* put(backend, german, { one: { text: "Un" } }, refreshBefore)
        expect(yield* backend.find(german.id, keysOf("one"))).toEqual([{ text: "Ein" }])
      })
    )
  )

  it.scopedLive("keeps the translations of the latest of several refreshes of one moment", () =>
    use((backend) =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const after = (minutes: number) => DateTime.add(now, { minutes })
        yield* Effect.forEach(
          [1, 3, 2],
          (minutes) => put(backend, german, { one: { text: `after ${minutes}` } }, after(minutes)),
          { concurrency: "unbounded" }
        )
        expect(yield* backend.find(german.id, keysOf("one"), after(3))).toEqual([{ text: "after 3" }])
        expect(yield* begin(backend, a, ["one"], after(3))).toEqual([false])
      })
    )
  )

  it.scopedLive(
    "keeps a translation that was refused with the names of the checks, and apart from those that are used",
    () =>
      use((backend) =>
        Effect.gen(function* () {
          const refused = { text: "?", billedCharacters: 3, refusedBy: ["empty", "a, b"] }
          yield* put(backend, german, { one: refused, two: { text: "Zwei" } })
          expect(yield* backend.find(german.id, keysOf("one", "two"))).toEqual([refused, { text: "Zwei" }])
          expect(yield* begin(backend, a, ["one"])).toEqual([false])
          const entries = Array.from(yield* Stream.runCollect(backend.entries))
          expect(entries.map(({ source }) => source)).toEqual(["two"])
          expect(yield* backend.stats).toMatchObject({ translations: 1, refused: 1, bytes: 4 + 7 })
        })
      )
  )

  it.scopedLive("grants another request for a text only to who knows its last answer", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* put(backend, german, { one: { text: "", refusedBy: ["empty"], asked: 2 } })
        const claim = (attempt: typeof a, before: number) =>
          backend.claim({
            attempt,
            namespace: german.id,
            keys: keysOf("one"),
            characters: [3],
            refreshBefore: DateTime.unsafeMake(before)
          })
        expect(yield* claim(a, -1)).toEqual([false])
        expect(yield* claim(b, 0)).toEqual([true])
      })
    )
  )

  it.scopedLive(
    "keeps a translation that was asked for once until something is recorded in its place, and never twice",
    () =>
      use((backend) =>
        Effect.gen(function* () {
          const once = { text: "", refusedBy: ["empty"], asked: 1 }
          const refreshBefore = DateTime.unsafeMake(0)
          const recordAgain = (translation: StoredTranslation) =>
            backend.record({
              namespace: german.id,
              translations: [{ key: keysOf("one")[0]!, text: "one", translation }],
              endings: [],
              refreshBefore
            })
          yield* put(backend, german, { one: once, two: { text: "Zwei" } })
          expect(yield* backend.find(german.id, keysOf("one", "two"))).toEqual([once, { text: "Zwei" }])
          expect(yield* begin(backend, a, ["one"])).toEqual([false])
          const granted = yield* backend.claim({
            attempt: b,
            namespace: german.id,
            keys: keysOf("one", "two"),
            characters: [3, 3],
            refreshBefore
          })
          expect(granted).toEqual([true, false])
          const twice = { ...once, asked: 2 }
          yield* recordAgain(twice)
          expect(yield* backend.find(german.id, keysOf("one"))).toEqual([twice])
          yield* recordAgain({ text: "Eins" })
          yield* recordAgain({ text: "Ein" })
          expect(yield* backend.find(german.id, keysOf("one"))).toEqual([{ text: "Eins" }])
          expect(yield* backend.stats).toMatchObject({ translations: 2, refused: 0 })
        })
      )
  )

  it.scopedLive("tells all its translations with their namespaces and times", () =>
    use((backend) =>
      Effect.gen(function* () {
        const before = yield* DateTime.now
        yield* opened(backend, french)
        yield* put(backend, german, { one: { text: "Eins", billedCharacters: 3 } })
        yield* put(backend, french, { one: { text: "Un" } })
        const entries = Array.from(yield* Stream.runCollect(backend.entries))
        expect(entries.map(({ at: _, ...entry }) => entry)).toEqual(
          expect.arrayContaining([
            {
              source: "one",
              translation: { text: "Eins", billedCharacters: 3 },
              namespace: german.namespace
            },
            { source: "one", translation: { text: "Un" }, namespace: french.namespace }
          ])
        )
        expect(entries.length).toBe(2)
        for (const entry of entries) {
          expect(Math.abs(entry.at.epochMillis - before.epochMillis)).toBeLessThan(60_000)
        }
      })
    )
  )
}

const terms = (use: Use) => {
  const putAll = (backend: Backend) =>
    Effect.gen(function* () {
      yield* opened(backend, french)
      yield* put(backend, german, { one: { text: "Eins" }, two: { text: "Zwei" } })
      yield* put(backend, german, { one: { text: "Erstens" } }, undefined, someTerms[0])
      yield* put(backend, german, { one: { text: "Ein" } }, undefined, someTerms[1])
      yield* put(backend, french, { one: { text: "Un" } }, undefined, someTerms[0])
    })

  it.scopedLive("keeps a translation of a text for each of the terms that it was translated with", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* putAll(backend)
        const keys = [undefined, ...someTerms].map((held) => key("one", german.id, held))
        const found = yield* backend.find(german.id, keys)
        expect(found.map((translation) => translation?.text)).toEqual(["Eins", "Erstens", "Ein"])
        const entries = Array.from(yield* Stream.runCollect(backend.entries))
        const told = entries.map(({ source, terms, translation }) => [source, translation.text, terms])
        expect(told).toEqual([
          ["one", "Eins", undefined],
          ["two", "Zwei", undefined],
          ["one", "Erstens", someTerms[0]],
          ["one", "Ein", someTerms[1]],
          ["one", "Un", someTerms[0]]
        ])
      })
    )
  )

  it.scopedLive("finds the translations of texts into a language, with any terms", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* putAll(backend)
        const found = yield* backend.translationsInto("de", (namespace) => [
          key("two", namespace),
          key("one", namespace)
        ])
        expect(found.get(0)).toEqual(["Zwei"])
        expect([...(found.get(1) ?? [])].sort()).toEqual(["Ein", "Eins", "Erstens"])
      })
    )
  )

  it.scopedLive("erases the translations and failures of a text with all terms", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* putAll(backend)
        const failed = ["one", "two"].map((text) => key(text, german.id, someTerms[0]))
        yield* backend.record({
          namespace: german.id,
          translations: [],
          endings: [],
          failures: failed.map((key) => ({ key, hasFailed: true }))
        })
        expect(yield* backend.erase(hashOf("one"), (namespace) => key("one", namespace))).toBe(4)
        const left = Array.from(yield* Stream.runCollect(backend.entries))
        expect(left.map(({ translation }) => translation.text)).toEqual(["Zwei"])
        expect(Array.from((yield* backend.failures(german.id)).keys())).toEqual([failed[1]])
      })
    )
  )
}

const origins = (use: Use) => {
  it.scopedLive("finds the translations of texts into a language, with any options", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* opened(backend, germanLess)
        yield* opened(backend, french)
        yield* put(backend, german, { one: { text: "Eins" }, two: { text: "?", refusedBy: ["empty"] } })
        yield* put(backend, germanLess, {
          one: { text: "Ein" },
          three: { text: "", refusedBy: ["x"], asked: 1 }
        })
        yield* put(backend, french, { four: { text: "Quatre" } })
        const found = yield* backend.translationsInto("de", (namespace) =>
          ["four", "three", "two", "one", "none"].map((text) => key(text, namespace))
        )
        expect(Array.from(found, ([index, texts]) => [index, [...texts].sort()]).sort()).toEqual([
          [1, [""]],
          [2, ["?"]],
          [3, ["Ein", "Eins"]]
        ])
        expect((yield* backend.translationsInto("es", () => [key("one")])).size).toBe(0)
      })
    )
  )

  it.scopedLive("tells which texts the machine has written into a language, of any source", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* opened(backend, germanLess)
        yield* opened(backend, french)
        yield* put(backend, german, { one: { text: "Eins" }, two: { text: "a\0b" } })
        yield* put(backend, germanLess, { three: { text: "Drei", refusedBy: ["empty"] } })
        yield* put(backend, french, { one: { text: "Un" } })
        yield* backend.correct([correction("one", "Eine")])
        const asked = ["Eine", "Un", "a\0b", "Drei", "Eins", "one", "Eins "]
        const written = (targetLang: string) =>
          Effect.map(backend.writtenInto(targetLang, asked), (texts) => [...texts].sort())
        expect(yield* written("de")).toEqual(["Drei", "Eins", "a\0b"])
        expect(yield* written("fr")).toEqual(["Un"])
        expect(yield* written("es")).toEqual([])
        expect((yield* backend.writtenInto("de", [])).size).toBe(0)
      })
    )
  )

  it.scopedLive("tells which of thousands of texts the machine has written, whatever was removed since", () =>
    use((backend) =>
      Effect.gen(function* () {
        const texts = Array.from({ length: 3000 }, (_, index) => `text ${index}`)
        yield* put(backend, german, Object.fromEntries(texts.map((text) => [text, { text: `${text}!` }])))
        yield* backend.erase(hashOf("text 7"), (namespace) => key("text 7", namespace))
        const asked = texts.flatMap((text) => [`${text}!`, `${text}?`])
        const written = yield* backend.writtenInto("de", asked)
        expect(written).toEqual(new Set(texts.filter((text) => text !== "text 7").map((text) => `${text}!`)))
      })
    )
  )
}

const claims = (use: Use) => {
  it.scopedLive("grants texts that have no translation, and those of its owner again", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* put(backend, german, { two: { text: "Zwei" } })
        expect(yield* begin(backend, a, ["one", "two", "three"])).toEqual([true, false, true])
        expect(yield* begin(backend, b, ["one"])).toEqual([true])
        expect(yield* backend.isHeld(a)).toBe(true)
        expect(yield* backend.isHeld(b)).toBe(true)
      })
    )
  )

  it.scopedLive("notes an attempt with its granted texts, and none if nothing was", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* put(backend, german, { two: { text: "Zwei" } })
        expect(yield* begin(backend, b, ["two"])).toEqual([false])
        expect(yield* attemptsOf(backend)).toEqual([])
        expect(yield* backend.isHeld(b)).toBe(false)
        yield* begin(backend, a, ["\u{1F600}!", "two", "three"])
        const [attempt, ...others] = yield* attemptsOf(backend)
        expect(attempt).toMatchObject({
          id: a,
          namespace: german.namespace,
          texts: 2,
          characters: 7,
          state: "inFlight"
        })
        expect(attempt!.owner).not.toBe("")
        expect(others).toEqual([])
      })
    )
  )

  it.scopedLive("notes a request that is sent again as a new attempt, and the one before as unknown", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* begin(backend, a, ["one", "three"])
        expect(yield* backend.repeat(a, b)).toBe(true)
        expect(yield* backend.repeat(a, c)).toBe(false)
        expect(yield* backend.repeat(c, d)).toBe(false)
        expect(yield* backend.isHeld(a)).toBe(false)
        expect(yield* backend.isHeld(b)).toBe(true)
        expect(yield* attemptsOf(backend)).toMatchObject([
          { id: a, texts: 2, characters: 8, state: "unknown" },
          { id: b, texts: 2, characters: 8, state: "inFlight" }
        ])
      })
    )
  )

  it.scopedLive("notes how an attempt has ended, once", () =>
    use((backend) =>
      Effect.gen(function* () {
        const endings = [
          [a, "answered"],
          [b, "rejected"],
          [c, "unknown"]
        ] as const
        for (const [attempt, ending] of endings) {
          yield* begin(backend, attempt, ["one", "three"])
          yield* end(backend, attempt, ending)
          yield* end(backend, attempt, "rejected")
          expect(yield* backend.isHeld(attempt)).toBe(false)
          expect(yield* backend.repeat(attempt, d)).toBe(false)
        }
        yield* end(backend, d, "answered")
        expect((yield* attemptsOf(backend)).map(({ id, state }) => [id, state])).toEqual(endings)
        const ended = { attempts: 1, characters: 8 }
        const { everything, since } = yield* backend.attemptSums(DateTime.unsafeMake(0))
        expect(since).toEqual(everything)
        const later = yield* backend.attemptSums(DateTime.addDuration(yield* DateTime.now, "1 hour"))
        expect(later).toEqual({ everything, since: noAttempts })
        expect((yield* backend.stats).attempts).toEqual(everything)
        expect(everything).toEqual({
          ...noAttempts,
          answered: ended,
          rejected: ended,
          unknown: ended
        })
      })
    )
  )
}

const corrections = (use: Use) => {
  it.scopedLive("finds corrections by the languages that a stream asks for", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* backend.correct([
          correction("both", "both en-de", { sourceLang: "en" }),
          correction("both", "both de"),
          correction("any", "any de"),
          correction("named", "named en-de", { sourceLang: "en", at: at(2) }),
          correction("named", "named nl-de", { sourceLang: "nl", at: at(1) }),
          correction("french", "french fr", { targetLang: "fr" })
        ])
        const find = (sourceLang: string | undefined, targetLang: string | undefined) =>
          backend.findCorrections(["named", "any", "both", "french", "none"].map(hashOf), {
            sourceLang,
            targetLang
          })
        expect(yield* find("en", "de")).toEqual(["named en-de", "any de", "both en-de", undefined, undefined])
        expect(yield* find(undefined, "de")).toEqual([
          "named en-de",
          "any de",
          "both de",
          undefined,
          undefined
        ])
        expect(yield* find("es", "de")).toEqual([undefined, "any de", "both de", undefined, undefined])
        expect(yield* find("en", "fr")).toEqual([undefined, undefined, undefined, "french fr", undefined])
        expect(yield* find("en", undefined)).toEqual(Array(5).fill(undefined))
      })
    )
  )

  it.scopedLive("has another revision of a language whenever its corrections are others", () =>
    use((backend) =>
      Effect.gen(function* () {
        const seen = new Set<string | undefined>()
        const isOther = (isChanged: boolean) =>
          Effect.map(backend.correctionsRevision("de"), (revision) => {
            expect(seen.has(revision)).toBe(!isChanged)
            seen.add(revision)
          })
        yield* isOther(true)
        yield* backend.correct([correction("one", "eins", { at: at(1) })])
        yield* isOther(true)
        yield* backend.correct([
          correction("one", "Eins", { at: at(1) }),
          correction("one", "un", { targetLang: "fr" })
        ])
        yield* isOther(true)
        yield* backend.correct([correction("two", "deux", { targetLang: "fr" })])
        yield* backend.erase(hashOf("two"), (namespace) => key("two", namespace))
        yield* isOther(false)
        yield* backend.erase(hashOf("one"), (namespace) => key("one", namespace))
        yield* isOther(true)
        expect(yield* backend.correctionsRevision("es")).toBe(undefined)
      })
    )
  )

  it.scopedLive("counts corrections that are new, known, or older than its own", () =>
    use((backend) =>
      Effect.gen(function* () {
        const count = (...given: ReadonlyArray<[translation: string, second: number]>) =>
          Effect.map(
            backend.correct(
              given.map(([translation, second]) => correction("one", translation, { at: at(second) }))
            ),
            ({ outdated, stored, unchanged }) => [stored, unchanged, outdated]
          )
        expect(yield* count(["first", 1], ["second", 2], ["first", 1], ["second", 3])).toEqual([2, 1, 1])
        const revision = yield* backend.correctionsRevision("de")
        expect(yield* count(["third", 2], ["second", 2])).toEqual([0, 1, 1])
        expect(yield* backend.correctionsRevision("de")).toBe(revision)
        expect(yield* count(["third", 3])).toEqual([1, 0, 0])
        expect(yield* backend.findCorrections([hashOf("one")], { targetLang: "de" })).toEqual(["third"])
      })
    )
  )

  it.scopedLive("keeps the newest correction of a text and its languages", () =>
    use((backend) =>
      Effect.gen(function* () {
        const find = backend.findCorrections([hashOf("one")], { targetLang: "de" })
        yield* backend.correct([correction("one", "second", { at: at(2) })])
        yield* backend.correct([correction("one", "first", { at: at(1) })])
        expect(yield* find).toEqual(["second"])
        yield* backend.correct([
          correction("one", "third", { at: at(2) }),
          correction("one", "fourth", { at: at(4) })
        ])
        expect(yield* find).toEqual(["fourth"])
        expect(Array.from(yield* Stream.runCollect(backend.corrections))).toEqual([
          { source: "one", translation: "fourth", sourceLang: undefined, targetLang: "de", at: at(4) }
        ])
      })
    )
  )

  it.scopedLive("tells all its corrections", () =>
    use((backend) =>
      Effect.gen(function* () {
        const all = [
          correction("one", "Eins", { sourceLang: "en" }),
          correction("one", "Eins!"),
          correction("one", "Un", { targetLang: "fr", at: at(2) })
        ]
        yield* backend.correct(all)
        const told = Array.from(yield* Stream.runCollect(backend.corrections))
        expect(told.length).toBe(3)
        expect(told).toEqual(
          expect.arrayContaining(
            all.map(({ hash: _, ...each }) => ({ ...each, sourceLang: each.sourceLang }))
          )
        )
      })
    )
  )
}

const upkeep = (use: Use) => {
  it.scopedLive("erases a text in all namespaces, with its corrections, and nothing else", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* opened(backend, french)
        yield* put(backend, german, { secret: { text: "Geheim" }, one: { text: "Eins" } })
        yield* put(backend, french, { secret: { text: "Secret" } })
        yield* backend.correct([
          correction("secret", "Geheimnis"),
          correction("secret", "Geheimnis!", { sourceLang: "en" }),
          correction("one", "Eins!")
        ])
        const erase = backend.erase(hashOf("secret"), (namespace) => key("secret", namespace))
        expect(yield* erase).toBe(4)
        expect(yield* erase).toBe(0)
        expect(yield* backend.find(german.id, keysOf("secret", "one"))).toEqual([undefined, { text: "Eins" }])
        expect(yield* backend.find(french.id, [key("secret", french.id)])).toEqual([undefined])
        const found = yield* backend.findCorrections(["secret", "one"].map(hashOf), { targetLang: "de" })
        expect(found).toEqual([undefined, "Eins!"])
        const left = JSON.stringify([
          yield* Stream.runCollect(backend.entries),
          yield* Stream.runCollect(backend.corrections)
        ])
        expect(left).not.toContain("ecret")
        expect(left).not.toContain("Geheim")
      })
    )
  )

  it.scopedLive("prunes translations by age", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* put(backend, german, { one: { text: "Eins" }, two: { text: "Zwei" } })
        yield* backend.correct([correction("one", "Eins!")])
        yield* begin(backend, a, ["three"])
        yield* sleep(10)
        expect(yield* backend.prune({})).toBe(0)
        expect(yield* backend.prune({ maxAge: "1 hour" })).toBe(0)
        expect(yield* backend.prune({ maxAge: Duration.zero })).toBe(2)
        expect(yield* backend.find(german.id, keysOf("one", "two"))).toEqual([undefined, undefined])
        expect(yield* backend.findCorrections([hashOf("one")], { targetLang: "de" })).toEqual(["Eins!"])
        expect((yield* attemptsOf(backend)).length).toBe(1)
      })
    )
  )

  it.scopedLive("keeps the newer verdict of a key, until it is old", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* backend.judge([])
        yield* backend.judge([
          { key: "one", verdict: "[]" },
          { key: "two", verdict: "früher" },
          { key: "two", verdict: "später\0" }
        ])
        const verdicts = backend.verdicts(["two", "none", "one", "two"])
        expect(yield* verdicts).toEqual(["später\0", undefined, "[]", "später\0"])
        yield* backend.judge([{ key: "one", verdict: "[1]" }])
        expect(yield* verdicts).toEqual(["später\0", undefined, "[1]", "später\0"])
        yield* sleep(10)
        yield* backend.prune({ maxAge: "1 hour" })
        expect(yield* backend.verdicts(["one"])).toEqual(["[1]"])
        yield* backend.prune({ maxAge: Duration.zero })
        expect(yield* verdicts).toEqual(Array(4).fill(undefined))
      })
    )
  )

  it.scopedLive("removes old attempts from the ledger, and none that is in flight", () =>
    use((backend) =>
      Effect.gen(function* () {
        yield* put(backend, german, { one: { text: "Eins" } })
        yield* backend.correct([correction("one", "Eins!")])
        yield* begin(backend, a, ["two"])
        yield* begin(backend, b, ["three", "four"])
        yield* end(backend, a, "unknown")
        yield* sleep(10)
        const { attempts } = yield* backend.stats
        expect(yield* backend.pruneAttempts("1 hour")).toBe(0)
        expect(yield* backend.pruneAttempts(Duration.infinity)).toBe(0)
        expect((yield* backend.stats).attempts).toEqual(attempts)
        expect(yield* backend.pruneAttempts(Duration.zero)).toBe(1)
        expect((yield* attemptsOf(backend)).map(({ id, state }) => [id, state])).toEqual([[b, "inFlight"]])
        expect((yield* backend.stats).attempts).toEqual({ ...noAttempts, inFlight: attempts.inFlight })
        expect(yield* backend.isHeld(b)).toBe(true)
        expect(yield* backend.find(german.id, keysOf("one"))).toEqual([{ text: "Eins" }])
        expect(yield* backend.findCorrections([hashOf("one")], { targetLang: "de" })).toEqual(["Eins!"])
      })
    )
  )

  it.scopedLive(
    "counts how often the service has failed with a text, until it is translated, erased, or old",
    () =>
      use((backend) =>
        Effect.gen(function* () {
          const failed = (texts: ReadonlyArray<string>, hasFailed = true, { id } = german) =>
            backend.record({
              namespace: id,
              translations: [],
              endings: [],
              failures: texts.map((text) => ({ key: key(text, id), hasFailed }))
            })
          const counts = (id: string) =>
            Effect.map(backend.failures(id), (found) =>
              Object.fromEntries(Array.from(found, ([key, { failures }]) => [key, failures]))
            )
          yield* opened(backend, french)
          expect(yield* counts(german.id)).toEqual({})
          yield* failed(["one", "two"])
          yield* failed(["two", "three"])
          yield* failed(["two"], true, french)
          expect(yield* counts(german.id)).toEqual({ [key("one")]: 1, [key("two")]: 2, [key("three")]: 1 })
          yield* failed(["one"], false)
          expect(yield* counts(german.id)).toEqual({ [key("two")]: 2, [key("three")]: 1 })
          yield* backend.erase(hashOf("two"), (namespace) => key("two", namespace))
          expect(yield* counts(german.id)).toEqual({ [key("three")]: 1 })
          expect(yield* counts(french.id)).toEqual({})
          yield* sleep(10)
          yield* backend.pruneAttempts("1 hour")
          expect(yield* counts(german.id)).toEqual({ [key("three")]: 1 })
          yield* backend.pruneAttempts(Duration.zero)
          expect(yield* counts(german.id)).toEqual({})
        })
      )
  )

  it.scopedLive("prunes the oldest translations until the rest fits", () =>
    use((backend) =>
      Effect.gen(function* () {
        for (const text of ["one", "two", "three"]) {
          yield* put(backend, german, { [text]: { text: `${text} é` } })
          yield* sleep(5)
        }
        const { bytes } = yield* backend.stats
        expect(bytes).toBe(11 + 11 + 3 * 3)
        expect(yield* backend.prune({ maxBytes: bytes })).toBe(0)
        expect(yield* backend.prune({ maxBytes: bytes - 1 })).toBe(1)
        expect(yield* backend.find(german.id, keysOf("one", "two", "three"))).toEqual([
          undefined,
          { text: "two é" },
          { text: "three é" }
        ])
        expect(yield* backend.prune({ maxBytes: 0, maxAge: "1 hour" })).toBe(2)
        expect((yield* backend.stats).bytes).toBe(0)
      })
    )
  )

  it.scopedLive("tells its content", () =>
    use((backend) =>
      Effect.gen(function* () {
        expect(yield* backend.stats).toEqual({
          translations: 0,
          refused: 0,
          bytes: 0,
          corrections: 0,
          languages: [],
          attempts: noAttempts
        })
        yield* opened(backend, french)
        yield* opened(backend, english)
        yield* put(backend, german, { one: { text: "Eins" }, two: { text: "Zwei" } })
        yield* put(backend, french, { one: { text: "Un" } })
        yield* put(backend, english, { one: { text: "One" } })
        yield* backend.correct([correction("one", "Eins!")])
        yield* begin(backend, a, ["three"])
        yield* begin(backend, b, ["four", "five"])
        const stats = yield* backend.stats
        expect(stats).toMatchObject({
          translations: 4,
          bytes: 3 * 4 + 4 * 2 + 2 + 3,
          corrections: 1,
          attempts: { ...noAttempts, inFlight: { attempts: 2, characters: 13 } }
        })
        expect(stats.languages.length).toBe(3)
        expect(stats.languages).toEqual(
          expect.arrayContaining([
            { sourceLang: undefined, targetLang: "de", translations: 2 },
            { sourceLang: "en", targetLang: "fr", translations: 1 },
            { sourceLang: undefined, targetLang: undefined, translations: 1 }
          ])
        )
      })
    )
  )
}

/** Registers the tests of a backend. Those of several owners are left out if it has no `makeExpiring`. */
export const conformance = (name: string, subject: Subject) => {
  const use: Use = (run) =>
    Effect.flatMap(subject.make, ({ owner }) =>
      Effect.flatMap(owner, (backend) => Effect.zipRight(opened(backend, german), run(backend)))
    )
  describe(`a store in ${name}`, () => {
    translations(use)
    claims(use)
    corrections(use)
    terms(use)
    origins(use)
    upkeep(use)
    model.register(subject)
    if (subject.makeExpiring !== undefined) shared.register(subject, subject.makeExpiring)
  })
}
