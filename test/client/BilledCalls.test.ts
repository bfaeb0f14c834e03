/** What a policy of the quota adds to the calls that it repeats. No call is made. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { TranslateError } from "effect-translate"
import { after, billedBy, type Call, isQuotaExceeded } from "../../src/client/internal/pacing/billedCalls.js"
import type { Service } from "../../src/client/TranslateClient.js"
import { SendGate } from "../../src/internal/sendGate.js"
import { inDoubt, quotaExceeded, unauthorized } from "../stream/support.js"

const refused = new TranslateError.QuotaExceeded({ ...quotaExceeded, attempts: 3, ambiguousAttempts: 2 })

describe("a call that repeats a refused one", () => {
  it.effect("tells the attempts of both, in its answer and in its error", () =>
    Effect.gen(function* () {
      const answer = { translations: [], attempts: 2, ambiguousAttempts: 1 }
      expect(yield* after(refused, Effect.succeed(answer))).toEqual({
        translations: [],
        attempts: 5,
        ambiguousAttempts: 3
      })
      const error = yield* Effect.flip(after(refused, Effect.fail(inDoubt)))
      expect(error).toBeInstanceOf(TranslateError.ServerError)
      expect(error).toMatchObject({ status: 500, attempts: 4, ambiguousAttempts: 3 })
    })
  )

  it.effect("leaves alone calls that know of no attempts", () =>
    Effect.gen(function* () {
      for (const answer of ["text", { attempts: 1 }, { ambiguousAttempts: 1 }, undefined]) {
        expect(yield* after(refused, Effect.succeed(answer))).toBe(answer)
      }
      const answer = { attempts: 1, ambiguousAttempts: 0 }
      expect(yield* after(undefined, Effect.succeed(answer))).toBe(answer)
    })
  )

  it.effect("fails as the refused one did if it is halted before it is sent, and breaks if it breaks", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(after(refused, Effect.interrupt))).toBe(refused)
      const exit = yield* Effect.exit(after(refused, Effect.die("broken")))
      expect(Exit.isFailure(exit) && exit.cause._tag).toBe("Die")
    })
  )

  it.effect("asks for each attempt in doubt if it may be sent again", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const asking = Effect.flatMap(SendGate, (open) => open?.()(1) ?? Effect.succeed(undefined))
      const maySend = (attempts: number) => Effect.sync(() => asked.push(attempts) > 0)
      const among = <A>(call: Call<A, never>) => Effect.provideService(call, SendGate, () => maySend)
      expect(yield* among(after(refused, asking))).toBe(true)
      yield* among(after(quotaExceeded, asking))
      expect(asked).toEqual([3, 1])
      expect(yield* after(refused, asking)).toBeUndefined()
    })
  )
})

describe("a client under a policy", () => {
  it.effect("makes billed calls by it, and names an upload that can't be repeated", () =>
    Effect.gen(function* () {
      const by = (name: string) => (): Effect.Effect<string> => Effect.succeed(name)
      const client = {
        translateText: by("translate"),
        write: { rephrase: by("rephrase"), correct: by("correct") },
        documents: { upload: by("upload"), status: by("status") },
        usage: by("usage")
      } as unknown as Service
      const delivered: Array<unknown> = []
      const billed = billedBy(client, (send, isRepeatable) =>
        Effect.tap(send(client), (answer) => Effect.sync(() => delivered.push([answer, isRepeatable])))
      ) as unknown as {
        readonly translateText: (request: unknown) => Effect.Effect<string>
        readonly write: Record<"rephrase" | "correct", (request: unknown) => Effect.Effect<string>>
        readonly documents: Record<"upload" | "status", (source: unknown) => Effect.Effect<string>>
      }
      yield* billed.translateText({})
      yield* billed.write.rephrase({})
      yield* billed.write.correct({})
      yield* billed.documents.upload({ isRepeatable: false })
      expect(yield* billed.documents.status({})).toBe("status")
      expect(delivered).toEqual([
        ["translate", undefined],
        ["rephrase", undefined],
        ["correct", undefined],
        ["upload", false]
      ])
    })
  )
})

describe("a used-up quota", () => {
  it("is told from all other errors", () => {
    expect([quotaExceeded, unauthorized, new Error("QuotaExceeded"), undefined].map(isQuotaExceeded)).toEqual(
      [true, false, false, false]
    )
    expect(isQuotaExceeded({ _tag: "QuotaExceeded" })).toBe(false)
  })
})
