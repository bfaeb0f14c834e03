/** Synchronisation against the emulator: what the service holds afterwards, and how many requests that took. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TranslateClient } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"
import { GlossaryEntries, GlossarySync } from "effect-translate/glossaries"
import * as fc from "fast-check"
import { once, served } from "../support/client.js"
import { emulatedInProcess } from "../support/emulator.js"
import { runs } from "../support/long.js"
import * as recording from "../support/recordingServer.js"

const dictionary = (sourceLang: string, targetLang: string, ...terms: ReadonlyArray<[string, string]>) => ({
  sourceLang,
  targetLang,
  entries: GlossaryEntries.fromTerms(terms)
})

const enDe = dictionary(
  "en",
  "de",
  ["constructor", "Konstruktor"],
  ["__proto__", "Prototyp"],
  ["mug", "Becher"]
)
const enFr = dictionary("en", "fr", ["mug", "tasse"])
const enPt = dictionary("EN-us", "pt-BR", ["mug", "caneca"])

const glossaries = Effect.map(TranslateClient.TranslateClient, (client) => client.glossaries)

/** What the service holds, languages and sources in order. */
const contents = (glossaryId: string) =>
  Effect.gen(function* () {
    const { entries, get } = yield* glossaries
    const { dictionaries, name } = yield* get(glossaryId)
    const read = yield* Effect.forEach(dictionaries, (pair) =>
      Effect.map(
        entries(glossaryId, { sourceLang: pair.sourceLang, targetLang: pair.targetLang }),
        ({ entries }) =>
          [
            `${pair.sourceLang} ${pair.targetLang}`,
            entries.map(({ source, target }) => `${source}=${target}`).sort()
          ] as const
      )
    )
    return { name, dictionaries: [...read].sort(([a], [b]) => (a < b ? -1 : 1)) }
  })

const requests = Effect.flatMap(Emulator.Emulator, ({ meter }) =>
  Effect.map(meter, ({ requests }) => requests)
)

/** The report, after the requests that the service counted were found in it. */
const sync = (options: GlossarySync.Options) =>
  Effect.gen(function* () {
    const before = yield* requests
    const report = yield* GlossarySync.sync(options)
    expect((yield* requests) - before).toBe(report.reads + (options.dryRun === true ? 0 : report.writes))
    return report
  })

const idOf = ({ glossaryId }: GlossarySync.Report) => {
  expect(glossaryId).toBeTypeOf("string")
  return glossaryId ?? ""
}

const inEmulator = <A, E>(body: Effect.Effect<A, E, TranslateClient.TranslateClient | Emulator.Emulator>) =>
  Effect.provide(body, emulatedInProcess())

describe("GlossarySync", () => {
  it.effect("creates an absent glossary in two calls, then does nothing", () =>
    inEmulator(
      Effect.gen(function* () {
        const options = { name: "Terms", dictionaries: [enDe, enPt] }
        const report = yield* sync(options)
        expect(report).toMatchObject({ created: true, renamed: false, reads: 1, writes: 1 })
        expect(report.dictionaries).toMatchObject([
          { sourceLang: "en", targetLang: "de", action: "create", added: 3 },
          { sourceLang: "en", targetLang: "pt", action: "create", added: 1 }
        ])
        expect(yield* contents(idOf(report))).toEqual({
          name: "Terms",
          dictionaries: [
            ["en de", ["__proto__=Prototyp", "constructor=Konstruktor", "mug=Becher"]],
            ["en pt", ["mug=caneca"]]
          ]
        })
        const again = yield* sync(options)
        expect(again).toMatchObject({ glossaryId: report.glossaryId, created: false, reads: 3, writes: 0 })
      })
    )
  )

  it.effect("merges, replaces, creates and deletes, a call for each dictionary", () =>
    inEmulator(
      Effect.gen(function* () {
        const first = yield* sync({ name: "Terms", dictionaries: [enDe, enFr, enPt] })
        const report = yield* sync({
          name: "Terms",
          dictionaries: [
            { ...enDe, entries: [...enDe.entries, { source: "cup", target: "Tasse" }] },
            dictionary("en", "fr", ["mug", "gobelet"]),
            dictionary("en", "es", ["mug", "taza"])
          ]
        })
        expect(report).toMatchObject({ glossaryId: first.glossaryId, reads: 3, writes: 4 })
        expect(report.dictionaries).toMatchObject([
          {
            targetLang: "de",
            action: "merge",
            added: 1,
            changed: 0,
            removed: 0,
            sources: { added: ["cup"] }
          },
          {
            targetLang: "fr",
            action: "replace",
            added: 0,
            changed: 1,
            removed: 0,
            sources: { changed: ["mug"] }
          },
          { targetLang: "es", action: "create", added: 1 },
          { targetLang: "pt", action: "delete", removed: 1 }
        ])
        expect(yield* contents(idOf(report))).toEqual({
          name: "Terms",
          dictionaries: [
            ["en de", ["__proto__=Prototyp", "constructor=Konstruktor", "cup=Tasse", "mug=Becher"]],
            ["en es", ["mug=taza"]],
            ["en fr", ["mug=gobelet"]]
          ]
        })
      })
    )
  )

  it.effect("renames and merges in one call", () =>
    inEmulator(
      Effect.gen(function* () {
        const first = yield* sync({ name: "Old", dictionaries: [enDe, enFr] })
        const more = { ...enDe, entries: [...enDe.entries, { source: "cup", target: "Tasse" }] }
        const glossaryId = idOf(first)
        const report = yield* sync({ glossaryId, name: "New", dictionaries: [more, enFr] })
        expect(report).toMatchObject({ glossaryId, renamed: true, created: false, reads: 3, writes: 1 })
        const after = yield* contents(glossaryId)
        expect(after.name).toBe("New")
        expect(after.dictionaries[0]?.[1]).toContain("cup=Tasse")
        expect(yield* sync({ glossaryId, name: "Newer", dictionaries: [more, enFr] })).toMatchObject({
          writes: 1
        })
        // Without a name it keeps the one it has.
        expect(yield* sync({ glossaryId, dictionaries: [more, enFr] })).toMatchObject({
          renamed: false,
          writes: 0
        })
        expect((yield* contents(glossaryId)).name).toBe("Newer")
      })
    )
  )

  it.effect("keeps dictionaries that are not listed if told so", () =>
    inEmulator(
      Effect.gen(function* () {
        const first = yield* sync({ name: "Terms", dictionaries: [enDe, enFr] })
        const report = yield* sync({ name: "Terms", dictionaries: [enDe], prune: false })
        expect(report).toMatchObject({ reads: 2, writes: 0 })
        expect((yield* contents(idOf(first))).dictionaries.length).toBe(2)
      })
    )
  )

  it.effect("a dry run reports the same, and writes nothing", () =>
    inEmulator(
      Effect.gen(function* () {
        const options = { name: "Terms", dictionaries: [enDe, enFr] }
        const { glossaryId: none, ...dry } = yield* sync({ ...options, dryRun: true })
        expect(none).toBeUndefined()
        expect(yield* Effect.flatMap(glossaries, ({ list }) => list)).toEqual([])
        const { glossaryId, ...real } = yield* sync(options)
        expect(dry).toEqual(real)

        const before = yield* contents(glossaryId ?? "")
        const changed = { name: "Terms", dictionaries: [enPt, dictionary("en", "de", ["mug", "Pott"])] }
        const dryChange = yield* sync({ ...changed, dryRun: true })
        expect(dryChange.writes).toBe(3)
        expect(yield* contents(glossaryId ?? "")).toEqual(before)
        expect(yield* sync(changed)).toEqual(dryChange)
      })
    )
  )

  it.effect("asks for the id if two glossaries have the name", () =>
    inEmulator(
      Effect.gen(function* () {
        const { create } = yield* glossaries
        const ids = yield* Effect.forEach([enDe, enFr], (dictionary) =>
          Effect.map(create({ name: "Terms", dictionaries: [dictionary] }), ({ glossaryId }) => glossaryId)
        )
        yield* create({ name: "terms", dictionaries: [enDe] })
        const error = yield* Effect.flip(GlossarySync.sync({ name: "Terms", dictionaries: [enDe] }))
        expect(error).toMatchObject({ _tag: "AmbiguousGlossary", name: "Terms" })
        expect(error._tag === "AmbiguousGlossary" && [...error.glossaryIds].sort()).toEqual([...ids].sort())
        expect(error.message).toContain('2 glossaries are named "Terms": say which by "glossaryId"')
        expect(GlossarySync.isGlossarySyncError(error)).toBe(true)
      })
    )
  )

  it.effect("an id that is unknown is NotFound, and creates nothing", () =>
    inEmulator(
      Effect.gen(function* () {
        const glossaryId = "00000000-0000-4000-8000-000000000000"
        const error = yield* Effect.flip(GlossarySync.sync({ glossaryId, dictionaries: [enDe] }))
        expect(error._tag).toBe("NotFound")
        expect(yield* Effect.flatMap(glossaries, ({ list }) => list)).toEqual([])
      })
    )
  )

  it.effect("refuses terms that the service would refuse before the first call, all at once", () =>
    inEmulator(
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          GlossarySync.sync({
            name: "é".repeat(513),
            dictionaries: [
              dictionary("en", "de", ["a", ""], ["b ", "c"]),
              dictionary("en-US", "ja", ["a", "b"]),
              dictionary("en", "fr"),
              dictionary("en", "not a language", ["a", "b"])
            ]
          })
        )
        expect(error._tag === "InvalidGlossary" && error.violations).toEqual([
          { field: "name", rule: "takes 1026 bytes of UTF-8; the limit is 1024: shorten it" },
          {
            field: "dictionaries[3].targetLang",
            rule: 'is no language code: write the target language as BCP 47, such as "de" or "en-GB"'
          },
          {
            field: "dictionaries[0].entries",
            rule: "line 1: the target is empty: fill it in, or remove the entry"
          },
          {
            field: "dictionaries[0].entries",
            rule: 'line 2: the source "b " begins or ends with whitespace: trim it'
          },
          {
            field: "dictionaries[2].entries",
            rule: "is empty: leave out a dictionary that shall be deleted"
          }
        ])
        const twice = yield* Effect.flip(
          GlossarySync.sync({ name: "Terms", dictionaries: [enDe, { ...enDe, targetLang: "de-CH" }] })
        )
        expect(twice.message).toContain("is a second one from en to de")
        const none = yield* Effect.flip(GlossarySync.sync({ name: "Terms", dictionaries: [] }))
        expect(none.message).toContain("dictionaries is empty")
        expect(yield* requests).toBe(0)
      })
    )
  )

  it.effect("goes on where a failure ended it", () =>
    inEmulator(
      Effect.gen(function* () {
        const { glossaryId = "" } = yield* sync({ name: "Terms", dictionaries: [enDe, enFr] })
        const { script } = yield* Emulator.Emulator
        const options = { name: "Terms", dictionaries: [dictionary("en", "de", ["a", "b"]), enPt] }
        yield* script(Fault.status(400).pipe(Fault.where(({ body }) => body.includes("caneca"))))
        const error = yield* Effect.flip(once(GlossarySync.sync(options)))
        expect(error._tag).toBe("BadRequest")
        expect(yield* sync(options)).toMatchObject({ glossaryId, writes: 2 })
        expect((yield* contents(glossaryId)).dictionaries).toEqual([
          ["en de", ["a=b"]],
          ["en pt", ["mug=caneca"]]
        ])
      })
    )
  )

  it.effect("calls the endpoints by their paths", () =>
    Effect.gen(function* () {
      const glossary = {
        glossary_id: "g/1",
        name: "Old",
        dictionaries: [
          { source_lang: "EN", target_lang: "DE", entry_count: 1 },
          { source_lang: "en", target_lang: "fr", entry_count: 9 }
        ]
      }
      yield* recording.answer(
        { body: glossary },
        {
          body: {
            dictionaries: [
              {
                source_lang: "en",
                target_lang: "de",
                entries: "a long source\ta target",
                entries_format: "tsv"
              }
            ]
          }
        },
        { body: glossary },
        { status: 204 }
      )
      const report = yield* GlossarySync.sync({
        glossaryId: "g/1",
        name: "New",
        dictionaries: [dictionary("en", "de", ["a long source", "a target"], ["more", "mehr"])]
      })
      expect(report).toMatchObject({ reads: 2, writes: 2 })
      const sent = yield* recording.requests
      expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
        "GET /v3/glossaries/g%2F1",
        "GET /v3/glossaries/g%2F1/entries?source_lang=en&target_lang=de",
        "PATCH /v3/glossaries/g%2F1",
        "DELETE /v3/glossaries/g%2F1/dictionaries?source_lang=en&target_lang=fr"
      ])
      expect(JSON.parse(sent[2]?.text ?? "")).toEqual({
        name: "New",
        dictionaries: [{ source_lang: "en", target_lang: "de", entries: "more\tmehr", entries_format: "tsv" }]
      })
    }).pipe(Effect.provide(served()))
  )
})

describe("a randomised run", () => {
  const term = fc.constantFrom("__proto__", "constructor", 'say "hi"', "a, b", "😀", "שלום", "a", "b")
  const glossary = fc.uniqueArray(
    fc.record({
      sourceLang: fc.constantFrom("en", "EN-us", "de"),
      targetLang: fc.constantFrom("fr", "pt-BR", "ja"),
      entries: fc
        .uniqueArray(fc.tuple(term, term), { selector: ([source]) => source, minLength: 1 })
        .map(GlossaryEntries.fromTerms)
    }),
    {
      selector: ({ sourceLang, targetLang }) => `${sourceLang.slice(0, 2)}${targetLang}`.toLowerCase(),
      minLength: 1,
      maxLength: 4
    }
  )

  it.effect("leaves the service with the desired terms each time", () =>
    inEmulator(
      Effect.gen(function* () {
        for (const dictionaries of fc.sample(glossary, { numRuns: runs(25), seed: 7 })) {
          const { glossaryId = "" } = yield* sync({ name: "Terms", dictionaries })
          expect(yield* contents(glossaryId)).toEqual({
            name: "Terms",
            dictionaries: dictionaries
              .map(
                ({ entries, sourceLang, targetLang }) =>
                  [
                    `${sourceLang.slice(0, 2).toLowerCase()} ${targetLang.slice(0, 2)}`,
                    entries.map(({ source, target }) => `${source}=${target}`).sort()
                  ] as const
              )
              .sort(([a], [b]) => (a < b ? -1 : 1))
          })
          expect(yield* sync({ name: "Terms", dictionaries })).toMatchObject({ writes: 0 })
        }
      })
    )
  )
})
