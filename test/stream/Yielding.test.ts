/** The runtime turns from one fiber to another after so many operations: wherever that is, nothing is lost. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TranslateStream } from "effect-translate"
import { runs } from "../support/long.js"
import { badRequest, chunked, de, drain, fake, mark, numbered, values } from "./support.js"

const texts = numbered(300)

const run = (operations: number, chunk: number) =>
  Effect.gen(function* () {
    const { out } = yield* drain(
      TranslateStream.translate(chunked(texts, chunk), { ...de, concurrency: 6 })
    ).pipe(
      fake((batch) => (batch.includes("t223") ? Effect.fail(badRequest) : Effect.void)).provide,
      Effect.withMaxOpsBeforeYield(operations)
    )
    expect(values(out), `${operations} operations, chunks of ${chunk}`).toEqual(
      texts.map((text) => (text === "t223" ? text : mark(text)))
    )
  })

describe("wherever a worker yields", () => {
  it.live("each element has one outcome, in order", () =>
    Effect.forEach(
      Array.from({ length: runs(40, 10) }, (_, index) => 20 + (280 / runs(40, 10)) * index),
      (operations) => Effect.zipRight(run(operations, 1), run(operations, 7)),
      { discard: true }
    )
  )
})
