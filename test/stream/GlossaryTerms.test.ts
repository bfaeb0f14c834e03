/** Streams that know the entries of their glossary: what a change of it sends again. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Forecast, TranslateClient, TranslateStream, TranslationStore } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import * as fc from "fast-check"
import { emulatedInProcess } from "../support/emulator.js"
import { runs } from "../support/long.js"

type Terms = ReadonlyMap<string, string>

const texts = ["Open the basket", "Close the doors", "A door and a basket", "Good bye", "basket", "Doorknob"]

/** Makes a glossary of terms, and translates texts with it as a stream that knows them. Tells the characters that were billed. */
const translate = (store: TranslationStore.Service, terms: Terms | undefined, isKnown = true) =>
  Effect.gen(function* () {
    const { meter } = yield* Emulator.Emulator
    const { glossaries } = yield* TranslateClient.TranslateClient
    const entries = Array.from(terms ?? [], ([source, target]) => ({ source, target }))
    const glossaryId =
      entries.length === 0
        ? undefined
        : (yield* glossaries.create({
            name: "terms",
            dictionaries: [{ sourceLang: "en", targetLang: "de", entries }]
          })).glossaryId
    const options = {
      sourceLang: "en",
      targetLang: "de",
      glossaryId,
      glossaryTerms: isKnown ? terms : undefined,
      store
    } as const
    const { targetLang: _, ...shared } = options
    const [forecast] = yield* Forecast.forecast(Stream.fromIterable(texts), { ...shared, targets: ["de"] })
    const before = yield* meter
    const outcomes = yield* Stream.runCollect(TranslateStream.translate(Stream.fromIterable(texts), options))
    const characters = (yield* meter).characters - before.characters
    expect(forecast!.characters).toBe(characters)
    return {
      characters,
      translations: Chunk.toReadonlyArray(outcomes).map((outcome) => outcome.value)
    }
  })

const lengthOf = (...texts: ReadonlyArray<string>) => texts.join("").length

describe("a stream that knows the terms of its glossary", () => {
  it.effect("sends the texts that hold a term that is new, has changed or is gone, and no others", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const basket: Terms = new Map([["basket", "Korb"]])
      const both: Terms = new Map([...basket, ["door", "Pforte"]])
      const changed: Terms = new Map([...both, ["door", "Tor"]])
      expect((yield* translate(store, basket)).characters).toBe(lengthOf(...texts))
      expect((yield* translate(store, both)).characters).toBe(
        lengthOf("Close the doors", "A door and a basket")
      )
      const last = yield* translate(store, changed)
      expect(last.characters).toBe(lengthOf("Close the doors", "A door and a basket"))
      expect(last.translations[2]).toContain("Tor")
      // Gone: "Close the doors" is a text without terms now, and the other one is as it was at first.
      expect((yield* translate(store, basket)).characters).toBe(0)
      expect((yield* translate(store, undefined)).characters).toBe(
        lengthOf("Open the basket", "A door and a basket", "basket")
      )
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect("finds texts without terms where they were translated without a glossary", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      yield* translate(store, undefined)
      expect((yield* translate(store, new Map([["knob", "Knauf"]]))).characters).toBe(0)
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  it.effect("keeps texts of a glossary whose entries are not known apart", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      const terms: Terms = new Map([["basket", "Korb"]])
      yield* translate(store, terms)
      expect((yield* translate(store, terms, false)).characters).toBe(lengthOf(...texts))
    }).pipe(Effect.provide(emulatedInProcess()))
  )

  const dictionaries = fc.dictionary(
    fc.constantFrom("basket", "door", "bye", "knob"),
    fc.constantFrom("Eins", "Zwei")
  )

  const isAsWithoutStore = (steps: ReadonlyArray<Readonly<Record<string, string>>>) =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.makeMemory()
      for (const step of steps) {
        const terms: Terms = new Map(Object.entries(step))
        const { translations } = yield* translate(store, terms)
        const alone = yield* translate(yield* TranslationStore.makeMemory(), terms)
        expect(translations).toEqual(alone.translations)
        expect((yield* translate(store, terms)).characters).toBe(0)
      }
    }).pipe(Effect.provide(emulatedInProcess()))

  it("translates each text with the terms of now, whatever the glossary held before", () =>
    fc.assert(
      fc.asyncProperty(fc.array(dictionaries, { minLength: 1, maxLength: 4 }), (steps) =>
        Effect.runPromise(isAsWithoutStore(steps))
      ),
      { numRuns: runs(50, 4) }
    ))
})
