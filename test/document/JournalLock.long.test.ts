/** Processes that open a journal and are killed at random moments: nobody is held up, and nothing is uploaded twice. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as starters from "../support/starters.js"

it.scopedLive(
  "100 starts of 3 processes, one of which is killed meanwhile",
  () =>
    Effect.gen(function* () {
      const { folder, starter } = yield* Effect.flatMap(
        Effect.promise(() => starters.bundled()),
        starters.make
      )
      const survivors = yield* Effect.all([starter, starter])
      for (let round = 0; round < 100; round++) {
        const path = `${folder}/${round}.jsonl`
        const victim = yield* starter
        const at = Date.now() + 5
        const answers = yield* Effect.promise(async () => {
          const victims: Array<string> = []
          void victim.start({ path, at }).then((answer) => victims.push(answer))
          setTimeout(victim.kill, 4 + Math.random() * 20)
          const found = await Promise.all(survivors.map(({ start }) => start({ path, at })))
          // Whoever had it is gone by now, so nobody may refuse.
          await victim.ended
          const last = await survivors[0]!.start({ path })
          return { all: [...found, ...victims, last], last }
        })
        expect(answers.last, `round ${round}`).not.toBe("refused")
        expect(
          answers.all.filter((answer) => answer === "uploads").length,
          `round ${round}`
        ).toBeLessThanOrEqual(1)
      }
    }),
  600_000
)
