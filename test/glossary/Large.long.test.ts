/** Dictionaries of 10 MB, the most that there may be, in the client, on the wire and in the emulator. */

import type * as HttpClient from "@effect/platform/HttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import { TranslateClient } from "effect-translate"
import * as Api from "effect-translate/api"
import { GlossaryCsv, GlossaryEntries } from "effect-translate/glossaries"
import { layerOver, served } from "../support/client.js"
import * as cpuTime from "../support/cpuTime.js"
import { emulatedInProcess } from "../support/emulator.js"
import * as raw from "../support/rawServer.js"
import * as recording from "../support/recordingServer.js"

const { check, decodeTsv, encodeTsv, fromTerms } = GlossaryEntries
const { decode: decodeCsv, encode: encodeCsv } = GlossaryCsv

const pair = { sourceLang: "en", targetLang: "de" }

/** Entries of 2,000 bytes on the wire: 999, a tab, 999 and a line feed. */
const entriesOf = (count: number, name = "") =>
  Array.from({ length: count }, (_, index) => ({
    source: `${name}${index} `.padEnd(999, "s"),
    target: "t".repeat(999)
  }))

const glossaries = Effect.map(TranslateClient.TranslateClient, ({ glossaries }) => glossaries)

describe("the entries of a dictionary", () => {
  it("may take 10,000,000 bytes once they are encoded", () => {
    const entry = (index: number) => [`${index}`.padStart(9, "0"), "x".repeat(989)] as const
    const full = fromTerms(Array.from({ length: 10_000 }, (_, index) => entry(index)))
    expect(Buffer.byteLength(Either.getOrThrow(encodeTsv(full)))).toBe(9_999_999)
    const [last, ...others] = [...full].reverse()
    const exact = [...others, { source: last!.source, target: `${last!.target}y` }]
    expect(check(exact)).toEqual([])
    expect(check([...others, { source: last!.source, target: `${last!.target}yy` }])).toEqual([
      {
        rule: "DictionaryTooLarge",
        message:
          "the dictionary takes 10000001 bytes, 10000000 are allowed: split it over several glossaries."
      }
    ])
  })

  it("take time in proportion to the size", () => {
    const terms = (count: number) =>
      fromTerms(
        Array.from({ length: count }, (_, index) => [`"term", ${index}`, `Begriff ${index}`] as const)
      )
    const roundTrip = (count: number) => {
      const entries = terms(count)
      const used = cpuTime.start()
      expect(Either.getOrThrow(decodeCsv(Either.getOrThrow(encodeCsv(entries)))).entries.length).toBe(count)
      expect(Either.getOrThrow(decodeTsv(Either.getOrThrow(encodeTsv(entries)))).length).toBe(count)
      return used()
    }
    roundTrip(5_000)
    const small = roundTrip(5_000)
    // A collection of garbage may hit one of them.
    const large = Math.min(roundTrip(40_000), roundTrip(40_000))
    // Quadratic work would take sixty-four times as long.
    expect(large / small).toBeLessThan(30)
  })

  for (const [name, transport] of raw.transports) {
    it.live(`are read whole over ${name}`, () => readWhole(transport))
  }

  it.effect('"10 MB per dictionary (so a glossary of n dictionaries may hold n times 10 MB)"', () =>
    Effect.gen(function* () {
      const client = yield* glossaries
      const { violations } = yield* Effect.filterOrDie(
        Effect.flip(client.replaceDictionary("g", { ...pair, entries: entriesOf(5001) })),
        (error) => error._tag === "InvalidRequest",
        (error) => error
      )
      expect(violations).toEqual([{ field: "entries", rule: expect.stringContaining("10000000") }])
      yield* recording.answer({
        status: 201,
        body: { glossary_id: "g", name: "Full", dictionaries: [], creation_time: "2026-02-03T04:05:06.789Z" }
      })
      const entries = entriesOf(5000)
      yield* client.create({
        name: "Full",
        dictionaries: [
          { ...pair, entries },
          { sourceLang: "de", targetLang: "en", entries }
        ]
      })
      expect((yield* recording.onlyRequest).body.length).toBeGreaterThan(20_000_000)
    }).pipe(Effect.provide(served()))
  )

  it.effect("are not merged beyond them by the emulator, which then changes nothing", () =>
    Effect.gen(function* () {
      const client = yield* glossaries
      const { glossaryId } = yield* client.create({
        name: "Large",
        dictionaries: [{ ...pair, entries: entriesOf(2600, "a ") }]
      })
      const error = yield* Effect.flip(
        client.update(glossaryId, { name: "Larger", dictionary: { ...pair, entries: entriesOf(2600, "b ") } })
      )
      expect(error).toMatchObject({
        _tag: "BadRequest",
        serviceMessage: expect.stringContaining(`${Api.Limits.glossaryDictionaryBytes}`)
      })
      const { dictionaries, name } = yield* client.get(glossaryId)
      expect([name, dictionaries]).toEqual(["Large", [{ ...pair, entryCount: 2600 }]])
    }).pipe(Effect.provide(emulatedInProcess()))
  )
})

const readWhole = (transport: Layer.Layer<HttpClient.HttpClient>) => {
  const entries = Array.from(
    { length: 20_000 },
    (_, index) => `source ${index}\t${"target ".repeat(70)}${index}`
  ).join("\n")
  const dictionary = { source_lang: "en", target_lang: "de", entries, entries_format: "tsv" }
  return Effect.gen(function* () {
    const { url } = yield* raw.make((socket) => {
      const body = Buffer.from(JSON.stringify({ dictionaries: [dictionary] }))
      socket.end(Buffer.concat([Buffer.from(raw.head(200, { "content-length": body.length })), body]))
    })
    const found = yield* Effect.flatMap(glossaries, (client) => client.entries("a-glossary", pair)).pipe(
      Effect.provide(layerOver({ url })),
      Effect.provide(transport)
    )
    expect(found.entries).toHaveLength(20_000)
  }).pipe(Effect.scoped)
}
