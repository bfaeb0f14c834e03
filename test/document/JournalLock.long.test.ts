/** Processes that open a journal, and are killed at random moments: nobody is held up, and nothing is uploaded twice. */
import { writeFileSync } from "node:fs"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runs } from "../support/long.js"
import * as starters from "../support/starters.js"

const count = <A>(values: ReadonlyArray<A>, value: A) => values.filter((found) => found === value).length

let program: string

beforeAll(async () => {
  program = await starters.bundled()
})

const rounds = runs(100, 10)

/** Those of which each starts a process. */
const kills = runs(100, 3)

describe("processes that start at the same moment", () => {
  it.scopedLive(`upload a file once in all: ${rounds} starts of 4 processes`, () =>
    Effect.gen(function* () {
      const { folder, starter } = yield* starters.make(program)
      const all = yield* Effect.all([starter, starter, starter, starter], { concurrency: 4 })
      for (let round = 0; round < rounds; round++) {
        const answers = yield* starters.race(`${folder}/${round}.jsonl`, all)
        expect(count(answers, "uploads"), `round ${round}: ${answers}`).toBe(1)
      }
    })
  )

  it.scopedLive(`so do those that find the lock of a killed process: ${rounds} starts of 3 processes`, () =>
    Effect.gen(function* () {
      const { folder, starter } = yield* starters.make(program)
      const [killed, ...all] = yield* Effect.all([starter, starter, starter, starter], { concurrency: 4 })
      const lock = yield* starters.staleLock(`${folder}/journal.jsonl`, killed)
      for (let round = 0; round < rounds; round++) {
        const path = `${folder}/${round}.jsonl`
        writeFileSync(`${path}.lock`, lock)
        const answers = yield* starters.race(path, all)
        expect(count(answers, "uploads"), `round ${round}: ${answers}`).toBe(1)
      }
    })
  )

  it.scopedLive("while another one has the journal are refused", () =>
    Effect.gen(function* () {
      const { folder, starter } = yield* starters.make(program)
      const path = `${folder}/journal.jsonl`
      const [holder, ...all] = yield* Effect.all([starter, starter, starter], { concurrency: 3 })
      yield* Effect.promise(() => holder.start({ path, isHolder: true }))
      expect(yield* starters.race(path, all)).toEqual(["refused", "refused"])
    })
  )
})

it.scopedLive(`${kills} starts of 3 processes, one of which is killed meanwhile`, () =>
  Effect.gen(function* () {
    const { folder, starter } = yield* starters.make(program)
    const survivors = yield* Effect.all([starter, starter])
    for (let round = 0; round < kills; round++) {
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
  })
)
