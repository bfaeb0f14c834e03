/** Versions of the glossaries of projects, against the emulator. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { TranslateClient } from "effect-translate"
import { GlossaryEntries, GlossarySync } from "effect-translate/glossaries"
import * as fc from "fast-check"
import { emulatedInProcess } from "../support/emulator.js"
import { runs } from "../support/long.js"

const project = "0123456789abcdef"
const other = "fedcba9876543210"

const german = (...terms: ReadonlyArray<[string, string]>) => ({
  sourceLang: "en",
  targetLang: "de",
  entries: GlossaryEntries.fromTerms(terms)
})

const of = (terms: ReadonlyArray<[string, string]>, own: Partial<GlossarySync.ProjectOptions> = {}) =>
  ({ project, label: "terms.csv", dictionaries: [german(...terms)], ...own }) as const

const cart = of([["cart", "Wagen"]])
const changed = of([["cart", "Korb"]])

const glossaries = Effect.map(TranslateClient.TranslateClient, (client) => client.glossaries)

const ids = Effect.flatMap(glossaries, ({ list }) =>
  Effect.map(list, (all) => all.map(({ glossaryId }) => glossaryId))
)

const nameOf = (id: string | undefined) =>
  Effect.flatMap(glossaries, ({ get }) => Effect.map(get(id ?? ""), ({ name }) => name))

/** The target of a term in a glossary. */
const targetOf = (id: string | undefined) =>
  Effect.flatMap(glossaries, ({ entries }) =>
    Effect.map(entries(id ?? "", { sourceLang: "en", targetLang: "de" }), ({ entries }) => entries[0]!.target)
  )

const inEmulator = <A, E>(body: Effect.Effect<A, E, TranslateClient.TranslateClient>) =>
  Effect.provide(body, emulatedInProcess())

describe("the glossary of a project", () => {
  it.effect("is named after the project and its terms, and is found again without a call that writes", () =>
    inEmulator(
      Effect.gen(function* () {
        const first = yield* GlossarySync.sync(cart)
        expect(first).toMatchObject({ created: true, reads: 1, writes: 1, deleted: [] })
        expect(yield* nameOf(first.glossaryId)).toMatch(
          /^terms\.csv \(effect-translate project 0123456789abcdef, terms [\da-f]{16}, kept until 1970-01-02T00:00Z\)$/
        )
        const again = yield* GlossarySync.sync(cart)
        expect(again).toMatchObject({ glossaryId: first.glossaryId, created: false, reads: 2, writes: 0 })
      })
    )
  )

  it.effect(
    "is another one for other terms, another language or another project, and none of them changes",
    () =>
      inEmulator(
        Effect.gen(function* () {
          const french = {
            sourceLang: "en",
            targetLang: "fr",
            entries: [{ source: "cart", target: "panier" }]
          }
          const all = [
            cart,
            changed,
            { ...cart, dictionaries: [...cart.dictionaries, french] },
            { ...cart, project: other },
            { ...changed, project: other }
          ]
          const made = yield* Effect.forEach(all, GlossarySync.sync)
          expect(new Set(made.map(({ glossaryId }) => glossaryId)).size).toBe(all.length)
          const again = yield* Effect.forEach(all, GlossarySync.sync)
          expect(again.map(({ glossaryId }) => glossaryId)).toEqual(made.map(({ glossaryId }) => glossaryId))
          expect(yield* Effect.forEach(made, ({ glossaryId }) => targetOf(glossaryId))).toEqual([
            "Wagen",
            "Korb",
            "Wagen",
            "Wagen",
            "Korb"
          ])
        })
      )
  )

  it.effect("is the same for the same terms in another order", () =>
    inEmulator(
      Effect.gen(function* () {
        const one = yield* GlossarySync.sync(
          of([
            ["a", "b"],
            ["c", "d"]
          ])
        )
        const two = yield* GlossarySync.sync(
          of([
            ["c", "d"],
            ["a", "b"]
          ])
        )
        expect(two).toMatchObject({ glossaryId: one.glossaryId, writes: 0 })
      })
    )
  )

  it.effect("gets a longer lease in the second half of its lease", () =>
    inEmulator(
      Effect.gen(function* () {
        const { glossaryId } = yield* GlossarySync.sync(cart)
        yield* TestClock.adjust("13 hours")
        expect(yield* GlossarySync.sync({ ...cart, dryRun: true })).toMatchObject({
          glossaryId,
          renamed: true
        })
        expect(yield* nameOf(glossaryId)).toContain("until 1970-01-02T00:00Z")
        expect(yield* GlossarySync.sync(cart)).toMatchObject({ glossaryId, renamed: true, writes: 1 })
        expect(yield* nameOf(glossaryId)).toContain("until 1970-01-02T13:00Z")
      })
    )
  )

  it.effect("is deleted an hour after its lease has ended, and made anew before that", () =>
    inEmulator(
      Effect.gen(function* () {
        const first = yield* GlossarySync.sync(cart)
        yield* TestClock.adjust(Duration.minutes(24 * 60 + 30))
        const second = yield* GlossarySync.sync(cart)
        expect(second).toMatchObject({ created: true, deleted: [] })
        expect(second.glossaryId).not.toBe(first.glossaryId)
        yield* TestClock.adjust("1 hour")
        expect(yield* GlossarySync.sync({ ...changed, dryRun: true })).toMatchObject({
          deleted: [first.glossaryId]
        })
        expect(yield* ids).toContain(first.glossaryId)
        const third = yield* GlossarySync.sync(changed)
        expect(third.deleted).toEqual([first.glossaryId])
        expect((yield* ids).sort()).toEqual([second.glossaryId, third.glossaryId].sort())
      })
    )
  )

  it.effect("never deletes those of another project, or of people", () =>
    inEmulator(
      Effect.gen(function* () {
        const { create } = yield* glossaries
        const { dictionaries } = cart
        const ofPeople = yield* Effect.forEach(
          [
            "terms.csv (effect-translate)",
            `terms.csv (effect-translate project ${project})`,
            `Shop, kept until 1970-01-01T00:00Z`,
            `terms (effect-translate project ${project}x, terms 0123456789abcdef, kept until 1970-01-01T00:00Z)`,
            `terms (effect-translate project ${project}, terms 0123456789abcdef, kept until tomorrow)`
          ],
          (name) => create({ name, dictionaries })
        )
        const ofOther = yield* GlossarySync.sync({ ...cart, project: other })
        yield* TestClock.adjust("100 days")
        expect((yield* GlossarySync.sync(cart)).deleted).toEqual([])
        expect(yield* ids).toEqual(
          expect.arrayContaining([...ofPeople.map(({ glossaryId }) => glossaryId), ofOther.glossaryId])
        )
      })
    )
  )

  it.effect("is kept as long as it is held", () =>
    inEmulator(
      Effect.gen(function* () {
        const { glossaryId } = yield* GlossarySync.hold(cart)
        yield* TestClock.adjust("10 days")
        expect((yield* GlossarySync.sync(changed)).deleted).toEqual([])
        expect(yield* GlossarySync.sync(cart)).toMatchObject({ glossaryId, created: false })
      }).pipe(Effect.scoped)
    )
  )

  it.effect("is left alone and made anew if somebody has changed its terms", () =>
    inEmulator(
      Effect.gen(function* () {
        const first = yield* GlossarySync.sync(cart)
        const { replaceDictionary } = yield* glossaries
        yield* replaceDictionary(first.glossaryId!, german(["cart", "Karre"]))
        const second = yield* GlossarySync.sync(cart)
        expect(second).toMatchObject({ created: true, writes: 1 })
        expect(yield* targetOf(first.glossaryId)).toBe("Karre")
        expect(yield* targetOf(second.glossaryId)).toBe("Wagen")
      })
    )
  )

  it.effect("is refused for a project that has no identity", () =>
    inEmulator(
      Effect.gen(function* () {
        for (const project of ["", "shop", "a b c d e f g h", "x".repeat(65)]) {
          const error = yield* Effect.flip(GlossarySync.sync({ ...cart, project }))
          expect(error).toMatchObject({ _tag: "InvalidGlossary", violations: [{ field: "project" }] })
        }
      })
    )
  )

  const step = fc.oneof(
    fc.record({ hours: fc.integer({ min: 0, max: 40 }) }),
    fc.record({ project: fc.constantFrom(project, other), target: fc.constantFrom("Wagen", "Korb") })
  )

  it.effect.prop(
    "always has the terms that were asked for, and an open run's is never deleted",
    [fc.array(step, { maxLength: 12 })],
    ([steps]) =>
      inEmulator(
        Effect.gen(function* () {
          const open: Array<readonly [string, string]> = []
          for (const step of steps) {
            if ("hours" in step) yield* TestClock.adjust(Duration.hours(step.hours))
            else {
              const options = of([["cart", step.target]], { project: step.project })
              const { glossaryId } = yield* GlossarySync.hold(options)
              open.push([glossaryId ?? "", step.target])
            }
            for (const [id, target] of open) expect(yield* targetOf(id)).toBe(target)
          }
        }).pipe(Effect.scoped)
      ),
    { fastCheck: { numRuns: runs(200, 10) } }
  )
})
