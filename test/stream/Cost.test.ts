/** What outcomes say of the cost covers what was billed, whatever was done to the texts before they were sent. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Stream from "effect/Stream"
import { Outcome, TranslateStream } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import * as Cost from "../../src/stream/internal/cost.js"
import * as Row from "../../src/stream/internal/element.js"
import { answerOf, charactersOf, de, hasty, inDoubt, meter, once, script, served } from "./support.js"

const texts = ["Save {name} & close", "x < y", "plain"]

/** Marks and escapes are sent, and billed. */
const sent = ['Save <x id="1">{name}</x> &amp; close', "x &lt; y", "plain"]

const tally = Stream.fromIterable(texts).pipe(
  TranslateStream.translate({ ...de, placeholders: {} }),
  Stream.run(Outcome.tally)
)

describe("with placeholders kept", () => {
  it.virtual("an attempt in doubt counts the texts that were sent", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(500, { when: "after" }))
      expect(yield* tally).toMatchObject({
        translated: 3,
        characters: charactersOf(sent),
        ambiguousCharacters: charactersOf(sent)
      })
      expect((yield* meter).characters).toBe(2 * charactersOf(sent))
    }).pipe(hasty, Effect.provide(served()))
  )

  it.virtual("so does one that fails", () =>
    Effect.gen(function* () {
      yield* script(Fault.status(500, { when: "after" }))
      expect(yield* tally).toMatchObject({
        failed: 3,
        characters: 0,
        ambiguousCharacters: charactersOf(sent)
      })
    }).pipe(once, Effect.provide(served()))
  )
})

describe("a batch", () => {
  const two = ["four", "🌍🌍"]
  const answered = (ambiguousAttempts: number, ...billed: ReadonlyArray<number | undefined>) =>
    Exit.succeed({
      ...answerOf(two, ambiguousAttempts),
      translations: two.map((text, index) => ({ text, billedCharacters: billed[index] }))
    })

  it("costs the service's bill, and the characters of a text without one", () => {
    expect(Cost.of(two, answered(0, 7))).toEqual({
      billed: [7, 2],
      characters: 9,
      ambiguousAttempts: 0,
      ambiguousCharacters: 0
    })
  })

  it("costs all of its texts besides for each attempt in doubt, also if it has failed", () => {
    expect(Cost.of(two, answered(2))).toMatchObject({ ambiguousAttempts: 2, ambiguousCharacters: 12 })
    expect(Cost.of(two, Exit.fail(inDoubt))).toEqual({
      billed: [],
      characters: 0,
      ambiguousAttempts: 1,
      ambiguousCharacters: 6
    })
    expect(Cost.of(two, Exit.interrupt(FiberId.none))).toMatchObject({ ambiguousCharacters: 0 })
  })

  it("charges each row the cost of its texts", () => {
    const row = Row.make("a row", two, undefined)
    const cost = Cost.of(two, answered(2, 7, 5))
    Cost.charge(row, cost, 1, two[1]!)
    expect(row).toMatchObject({ characters: 5, ambiguousCharacters: 4 })
    Cost.charge(row, cost, 0, two[0]!)
    expect(row).toMatchObject({ characters: 12, ambiguousCharacters: 12 })
    Cost.charge(row, Cost.none, 0, two[0]!)
    expect(row).toMatchObject({ characters: 12, ambiguousCharacters: 12 })
  })
})

describe("a tally", () => {
  it("adds up texts and costs of outcomes, those that look wrong included", () => {
    const texts = { translated: 1, cached: 2, skipped: 3, failed: 4 }
    const cost = { characters: 5, ambiguousCharacters: 6 }
    const once = Outcome.add(Outcome.zero, { texts, cost })
    expect(once).toEqual({ in: 10, ...texts, ...cost })
    expect(Outcome.add(once, { texts: { ...texts, flagged: 1 }, cost })).toEqual({
      in: 20,
      translated: 2,
      cached: 4,
      skipped: 6,
      failed: 8,
      flagged: 1,
      characters: 10,
      ambiguousCharacters: 12
    })
  })
})
