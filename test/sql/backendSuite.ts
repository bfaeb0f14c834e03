/** What a store keeps in a database, and what several stores of one database do to each other. */
import { NodeFileSystem } from "@effect/platform-node"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as backend from "../../src/sql/internal/backend.js"
import type { Database } from "../support/databases.js"

const namespace = {
  endpoint: "POST /v2/translate",
  service: "https://api.example.com",
  account: "account",
  targetLang: "de",
  settings: "{}"
}

/** Texts have first halves of their own: the second half is that of the terms, too. */
const key = (n: number) => n.toString(16).padStart(16, "0").padEnd(32, "0")
const keyed = (n: number) => ({ key: key(n), text: `text ${n}`, translation: { text: `Text ${n}` } })

const attempt = (n: number) => `00000000-0000-4000-8000-${n.toString().padStart(12, "0")}`

const claimOf = (n: number, ...keys: ReadonlyArray<number>) => ({
  attempt: attempt(n),
  namespace: "ns",
  keys: keys.map(key),
  characters: keys.map(() => 6)
})

const open = Effect.tap(backend.make({}), (store) => store.openNamespace("ns", namespace))

export const suite = (database: Database) =>
  describe(`on ${database.name}`, () => {
    const { layer } = database
    const test = <A, E>(name: string, body: Effect.Effect<A, E, Effect.Effect.Context<typeof open>>) =>
      it.live(name, () =>
        Effect.scoped(body).pipe(Effect.provide(layer), Effect.provide(NodeFileSystem.layer))
      )

    test(
      "recordings are found in the order of the keys, with all fields",
      Effect.gen(function* () {
        const store = yield* open
        const odd = {
          text: "\0 \ud800 \u001a0000 💡",
          detectedSourceLanguage: "en",
          billedCharacters: 5,
          modelTypeUsed: "m"
        }
        yield* store.record({
          namespace: "ns",
          translations: [keyed(1), { key: key(2), text: "\0\udfff", translation: odd }],
          endings: []
        })
        expect(yield* store.find("ns", [key(3), key(2), key(1)])).toEqual([
          undefined,
          odd,
          { text: "Text 1" }
        ])
        const entries = Chunk.toReadonlyArray(yield* Stream.runCollect(store.entries))
        expect(entries.map(({ source }) => source)).toEqual(["text 1", "\0\udfff"])
        expect(entries[1]).toMatchObject({ translation: odd, namespace })
      })
    )

    test(
      "many that are recorded at once keep the values that they share, and those that they do not",
      Effect.gen(function* () {
        const store = yield* open
        yield* store.openNamespace("other", { ...namespace, targetLang: "fr" })
        const translationOf = (n: number) => ({
          text: `Text ${n}`,
          detectedSourceLanguage: n % 2 === 0 ? "en" : "fr",
          billedCharacters: n,
          ...(n < 20 ? { modelTypeUsed: "m" } : n === 40 ? { modelTypeUsed: "n" } : {})
        })
        const keysOf = (from: number, to: number) =>
          Array.from({ length: to - from }, (_, index) => from + index)
        const record = (id: string, from: number, to: number) =>
          store.record({
            namespace: id,
            translations: keysOf(from, to).map((n) => ({ ...keyed(n), translation: translationOf(n) })),
            endings: []
          })
        yield* Effect.all([record("ns", 0, 50), record("other", 50, 83)], { concurrency: 2 })
        for (const [id, from, to] of [
          ["ns", 0, 50],
          ["other", 50, 83]
        ] as const) {
          expect(yield* store.find(id, keysOf(from, to).map(key))).toEqual(
            keysOf(from, to).map(translationOf)
          )
        }
        const entries = Chunk.toReadonlyArray(yield* Stream.runCollect(store.entries))
        expect(entries.map(({ namespace: { targetLang }, source }) => [source, targetLang])).toEqual(
          keysOf(0, 83).map((n) => [`text ${n}`, n < 50 ? "de" : "fr"])
        )
      })
    )

    test(
      "the first translation of a key stays, unless a later time is to be refreshed",
      Effect.gen(function* () {
        const store = yield* open
        yield* store.record({ namespace: "ns", translations: [keyed(1)], endings: [] })
        const other = { ...keyed(1), translation: { text: "other" } }
        yield* store.record({ namespace: "ns", translations: [other], endings: [] })
        expect(yield* store.find("ns", [key(1)])).toEqual([{ text: "Text 1" }])
        const refreshBefore = DateTime.add(yield* DateTime.now, { seconds: 5 })
        expect(yield* store.find("ns", [key(1)], refreshBefore)).toEqual([undefined])
        yield* store.record({ namespace: "ns", translations: [other], endings: [], refreshBefore })
        expect(yield* store.find("ns", [key(1)])).toEqual([{ text: "other" }])
      })
    )

    test(
      "an ending that could not be stored leaves its texts to others once the lease was renewed",
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const one = yield* Effect.tap(backend.make({ lease: "1 second" }), (store) =>
          store.openNamespace("ns", namespace)
        )
        const two = yield* open
        expect(yield* one.claim(claimOf(1, 1))).toEqual([true])
        yield* sql`ALTER TABLE effect_translate_attempts RENAME TO away`
        const endings = [{ attempt: attempt(1), ending: "rejected" } as const]
        expect(yield* Effect.isFailure(one.record({ namespace: "ns", translations: [], endings }))).toBe(true)
        yield* sql`ALTER TABLE away RENAME TO effect_translate_attempts`
        const granted = yield* Effect.repeat(two.claim(claimOf(2, 1)), {
          until: ([isGranted]) => isGranted === true,
          schedule: Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(200))
        })
        expect(granted).toBeDefined()
        const states = Array.from(yield* Stream.runCollect(two.attempts), ({ state }) => state)
        expect(states).toEqual(["unknown", "inFlight"])
      })
    )

    test(
      "a text that another store has in flight is not granted, one that has ended is",
      Effect.gen(function* () {
        const [one, two] = [yield* open, yield* open]
        expect(yield* one.claim(claimOf(1, 1, 2))).toEqual([true, true])
        expect(yield* one.claim(claimOf(2, 2))).toEqual([true])
        expect(yield* two.claim(claimOf(3, 2, 3))).toEqual([false, true])
        yield* one.record({
          namespace: "ns",
          translations: [keyed(1)],
          endings: [
            { attempt: attempt(1), ending: "answered" },
            { attempt: attempt(2), ending: "rejected" }
          ]
        })
        expect(yield* two.claim(claimOf(4, 1, 2))).toEqual([false, true])
      })
    )

    test(
      "a claim that is stored twice is one row of the ledger",
      Effect.gen(function* () {
        const store = yield* open
        expect(yield* store.claim(claimOf(1, 1, 2))).toEqual([true, true])
        expect(yield* store.claim(claimOf(1, 1, 2))).toEqual([true, true])
        const attempts = Chunk.toReadonlyArray(yield* Stream.runCollect(store.attempts))
        expect(attempts).toMatchObject([
          { id: attempt(1), texts: 2, characters: 12, state: "inFlight", namespace }
        ])
      })
    )

    test(
      "when a store is closed, its texts in flight are in doubt, and free",
      Effect.gen(function* () {
        yield* Effect.scoped(Effect.flatMap(open, (store) => store.claim(claimOf(1, 1))))
        const store = yield* open
        expect((yield* store.stats).attempts.expired).toEqual({ attempts: 1, characters: 6 })
        expect(yield* store.claim(claimOf(2, 1))).toEqual([true])
      })
    )

    test(
      "a repeated request is a new row, and the one before it in doubt",
      Effect.gen(function* () {
        const store = yield* open
        yield* store.claim(claimOf(1, 1))
        expect(yield* store.repeat(attempt(1), attempt(2))).toBe(true)
        expect(yield* store.repeat(attempt(1), attempt(2))).toBe(true)
        expect(yield* store.isHeld(attempt(1))).toBe(false)
        expect(yield* store.isHeld(attempt(2))).toBe(true)
        expect((yield* store.stats).attempts).toMatchObject({
          unknown: { attempts: 1, characters: 6 },
          inFlight: { attempts: 1, characters: 6 }
        })
      })
    )

    test(
      "the newest correction of a text wins, and one for its language before one for any",
      Effect.gen(function* () {
        const store = yield* open
        const [older, newer] = [DateTime.unsafeMake(1000), DateTime.unsafeMake(2000)]
        const any = { hash: key(1), source: "one", targetLang: "de" }
        yield* store.correct([
          { ...any, translation: "new", at: newer },
          { ...any, translation: "old", at: older },
          { ...any, sourceLang: "en", translation: "english", at: older }
        ])
        yield* store.correct([{ ...any, translation: "old", at: older }])
        expect(yield* store.correctionsRevision("fr")).toBe(undefined)
        expect(yield* store.findCorrections([key(2), key(1)], { targetLang: "de" })).toEqual([
          undefined,
          "new"
        ])
        expect(yield* store.findCorrections([key(1)], { targetLang: "de", sourceLang: "en" })).toEqual([
          "english"
        ])
        expect(Chunk.size(yield* Stream.runCollect(store.corrections))).toBe(2)
      })
    )

    test(
      "translations are pruned by size and age, the oldest first",
      Effect.gen(function* () {
        const store = yield* open
        for (const n of [1, 2, 3])
          yield* store.record({ namespace: "ns", translations: [keyed(n)], endings: [] })
        expect((yield* store.stats).bytes).toBe(36)
        expect(yield* store.prune({ maxBytes: 30 })).toBe(1)
        expect(yield* store.find("ns", [1, 2, 3].map(key))).toEqual([
          undefined,
          { text: "Text 2" },
          { text: "Text 3" }
        ])
        expect(yield* store.prune({ maxAge: "1 hour" })).toBe(0)
        // Not before the next millisecond.
        yield* Effect.repeat(store.prune({ maxAge: 0 }), { until: (removed) => removed > 0 })
      })
    )

    test(
      "an erased text is gone with its corrections",
      Effect.gen(function* () {
        const store = yield* open
        yield* store.record({ namespace: "ns", translations: [keyed(1), keyed(2)], endings: [] })
        yield* store.correct([
          { hash: key(9), source: "text 1", translation: "x", targetLang: "de", at: DateTime.unsafeMake(0) }
        ])
        expect(yield* store.erase(key(9), () => key(1))).toBe(2)
        expect(yield* store.stats).toMatchObject({ translations: 1, corrections: 0 })
      })
    )

    test(
      "listings go on from page to page",
      Effect.gen(function* () {
        const store = yield* open
        const translations = Array.from({ length: 2500 }, (_, n) => keyed(n))
        yield* store.record({ namespace: "ns", translations, endings: [] })
        const entries = Chunk.toReadonlyArray(yield* Stream.runCollect(store.entries))
        expect(entries.map(({ source }) => source)).toEqual(translations.map(({ text }) => text))
        expect(yield* store.stats).toMatchObject({
          translations: 2500,
          languages: [{ sourceLang: undefined, targetLang: "de", translations: 2500 }]
        })
      })
    )
  })
