/** What outcomes say of the cost covers what was billed, whatever was done to the texts before they were sent. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Outcome, TranslateStream } from "effect-translate"
import { Fault } from "effect-translate/emulator"
import { charactersOf, de, hasty, meter, once, script, served } from "./support.js"

const texts = ["Save {name} & close", "x < y", "plain"]

/** Marks and escapes are sent, and billed. */
const sent = ['Save <x id="1">{name}</x> &amp; close', "x &lt; y", "plain"]

const tally = Stream.fromIterable(texts).pipe(
  TranslateStream.translate({ ...de, placeholders: {} }),
  Stream.run(Outcome.tally)
)

describe("with placeholders kept", () => {
  it.live("an attempt in doubt counts what was sent", () =>
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

  it.live("so does one that fails", () =>
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
