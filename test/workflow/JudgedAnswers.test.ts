/** The first answers of a job on two workers, which know each other by the tables alone. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as judgedAnswers from "../../src/workflow/internal/steps/judgedAnswers.js"
import type { FirstAnswers } from "../../src/workflow/internal/tables/jobTables.js"
import { faults, reversed, sentences } from "../stream/implausible.js"

type Known = Effect.Effect.Success<ReturnType<FirstAnswers["look"]>>["known"]

/** Two workers at a job of so many steps. */
const workers = (steps = 4) =>
  Effect.gen(function* () {
    const table = {
      judge: undefined as string | undefined,
      known: undefined as Known,
      asked: 0,
      isOpen: true
    }
    const firstAnswers: FirstAnswers = {
      take: (_, worker) =>
        Effect.sync(() => {
          table.asked++
          table.judge ??= worker
          return table.judge === worker
        }),
      give: (_, worker, known) =>
        Effect.sync(() => {
          if (table.judge === worker) Object.assign(table, { judge: undefined, known })
        }),
      look: () => Effect.sync(() => ({ known: table.known, steps }))
    }
    const worker = (name: string) =>
      Effect.map(
        judgedAnswers.make(
          { firstAnswers },
          { id: "job", generation: 1 },
          {
            isOpen: Effect.sync(() => table.isOpen),
            worker: name
          }
        ),
        (judged) => {
          const told: Array<string> = []
          const member = { wake: () => undefined }
          judged.firstAnswers.join(member)
          return {
            ...judged,
            told,
            /** Sends ten texts, from the nth on. */
            send: (from: number, answer: (texts: ReadonlyArray<string>) => ReadonlyArray<string>) =>
              Effect.gen(function* () {
                judged.firstAnswers.begun(1)
                const mayGoOn = yield* judged.turn
                judged.firstAnswers.begun(-1)
                if (!mayGoOn) return "held back"
                const texts = sentences(100).slice(from, from + 10)
                const translations = answer(texts)
                const pairs = texts.map((source, index) => ({
                  source,
                  translation: translations[index]!,
                  sourceLang: "en",
                  targetLang: "de"
                }))
                judged.firstAnswers.answered(member, pairs, (error) => told.push(error?._tag ?? "kept"))
                return "sent"
              }),
            end: Effect.sync(() => judged.firstAnswers.release(member))
          }
        }
      )
    return { table, first: yield* worker("first"), second: yield* worker("second") }
  })

const right = (texts: ReadonlyArray<string>) => texts.map(reversed)

const wrong = (texts: ReadonlyArray<string>) => faults.constant(texts, 0)

describe("the first answer of a job on two workers", () => {
  it.scoped("is waited for by the other worker, which asks nobody once it was right", () =>
    Effect.gen(function* () {
      const { first, second, table } = yield* workers()
      first.firstAnswers.begun(1)
      expect(yield* first.turn).toBe(true)
      const waiting = yield* Effect.fork(second.send(10, right))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.poll(waiting)).toMatchObject({ _tag: "None" })
      first.firstAnswers.begun(-1)
      yield* first.send(0, right)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(waiting)).toBe("sent")
      const { asked } = table
      expect([yield* first.send(20, wrong), yield* second.send(30, wrong)]).toEqual(["sent", "sent"])
      expect(table.asked).toBe(asked)
      expect([first.told, second.told]).toEqual([
        ["kept", "kept"],
        ["kept", "kept"]
      ])
    })
  )

  it.scoped(
    "waits, if it looks wrong, for the answer to the other, and both end the job if that is the same",
    () =>
      Effect.gen(function* () {
        const { first, second } = yield* workers()
        yield* first.send(0, wrong)
        yield* first.end
        yield* TestClock.adjust("1 minute")
        expect(first.told).toEqual([])
        yield* second.send(10, wrong)
        expect(second.told).toEqual(["ImplausibleAnswers"])
        yield* TestClock.adjust("1 second")
        expect(first.told).toEqual(["ImplausibleAnswers"])
        expect(yield* first.send(20, wrong)).toBe("held back")
      })
  )

  it.scoped("is kept, though it looks wrong, if the answer to the other is right", () =>
    Effect.gen(function* () {
      const { first, second } = yield* workers()
      yield* first.send(0, wrong)
      yield* first.end
      yield* TestClock.adjust("1 second")
      yield* second.send(10, right)
      yield* TestClock.adjust("1 second")
      expect(first.told).toEqual(["kept"])
    })
  )

  it.scoped("is kept, though it looks wrong, once no other source and no other step has texts", () =>
    Effect.gen(function* () {
      const { first } = yield* workers(1)
      yield* first.step({ kind: "sources", sources: ["a", "b"] }, (sourceEnded) =>
        Effect.gen(function* () {
          yield* first.send(0, wrong)
          yield* first.end
          yield* TestClock.adjust("1 minute")
          expect(first.told).toEqual([])
          yield* sourceEnded
          yield* TestClock.adjust("1 second")
          expect(first.told).toEqual(["kept"])
        })
      )
    })
  )

  it.scoped("is kept if the job is to pause meanwhile, and nothing more is sent", () =>
    Effect.gen(function* () {
      const { first, second, table } = yield* workers()
      yield* first.send(0, wrong)
      yield* first.end
      table.isOpen = false
      yield* TestClock.adjust("1 second")
      expect(first.told).toEqual(["kept"])
      expect(yield* second.send(10, right)).toBe("held back")
    })
  )
})
