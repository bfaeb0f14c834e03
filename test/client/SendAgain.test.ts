/** Whether an attempt that has failed is repeated, and after which pause: by the function that decides it. No call is made. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RetryPolicy, TranslateError } from "effect-translate"
import type { Call, Resend } from "../../src/client/internal/calling/call.js"
import { type Budgeted, nextPause } from "../../src/client/internal/calling/sendAgain.js"
import * as bulkCalls from "../../src/internal/bulkCalls.js"
import {
  badRequest,
  inDoubt,
  quotaExceeded,
  rateLimited,
  unauthorized,
  unavailable
} from "../stream/support.js"
import { retries } from "../support/retries.js"

interface Given {
  readonly resend?: Resend
  readonly operator?: Partial<bulkCalls.Operator>
  /** Whether the call takes part in a circuit, and whether that holds the call back. */
  readonly circuit?: "holds" | "lets go"
  readonly busy?: ReadonlyArray<number>
  readonly repetitions?: number
  readonly ambiguousBudget?: number
}

const decide = (error: TranslateError.CallError, given: Given = {}) => {
  const { ambiguousBudget = 10, busy = [429, 503, 529], circuit, repetitions = 5 } = given
  const shared = {
    budget: { repeated: 0, succeeded: 0 },
    // Of a call that takes no part nothing is asked.
    circuit: { holds: () => circuit !== "lets go" }
  }
  const operator = { ...bulkCalls.plain(), ...given.operator }
  const call = {
    policy: RetryPolicy.make({ schedule: retries(repetitions, "7 seconds"), ambiguousBudget }),
    operator,
    circuit: circuit === undefined ? undefined : operator,
    isBusy: (status: number) => busy.includes(status),
    attempts: 2
  }
  return Effect.map(
    nextPause(shared as unknown as Budgeted, given.resend ?? "budgeted", call as unknown as Call, error, {}),
    (pause) => ({ pause: Option.getOrUndefined(pause), repeated: shared.budget.repeated })
  )
}

const repeats = (name: string, error: TranslateError.CallError, given: Given, pause: number | undefined) =>
  it.effect(name, () => Effect.map(decide(error, given), (found) => expect(found.pause).toBe(pause)))

const call = { method: "POST", path: "/v2/translate", attempts: 1, ambiguousAttempts: 0 } as const
const transport = (reason: string) =>
  new TranslateError.TransportError({ ...call, delivery: "not-sent", reason })
const unexpected = (status: number) =>
  new TranslateError.UnexpectedStatus({ ...call, delivery: "rejected", status })
const ofGlossaries = new TranslateError.QuotaExceeded({ ...quotaExceeded, path: "/v3/glossaries" })

describe("a rejected request", () => {
  repeats("is repeated if the endpoint says that it was one too many", rateLimited, {}, 7000)
  repeats(
    "is not repeated by a status that the endpoint does not name",
    unavailable,
    { busy: [429] },
    undefined
  )
  repeats("is repeated if it came too early for a proxy", unexpected(425), {}, 7000)
  repeats("is not repeated after any other status", unexpected(418), { busy: [418] }, undefined)
  repeats("is not repeated if it has to be corrected", badRequest, { busy: [400] }, undefined)
  repeats("is not repeated with a key that is refused", unauthorized, { busy: [403] }, undefined)
  repeats("is not repeated once a quota is used up", quotaExceeded, { busy: [456] }, undefined)
  repeats("is repeated after too many requests for glossaries", ofGlossaries, { busy: [456] }, 7000)
  repeats("is repeated as often as the schedule says", rateLimited, { repetitions: 0 }, undefined)
})

describe("a request that was not sent", () => {
  repeats("is repeated", transport("ECONNREFUSED"), { resend: "never" }, 7000)
  repeats(
    "is not repeated to a host whose certificate is refused",
    transport("CERT_HAS_EXPIRED"),
    {},
    undefined
  )
})

describe("a request in doubt", () => {
  repeats("that only reads is repeated", inDoubt, { resend: "always", ambiguousBudget: 0 }, 7000)
  repeats("that makes something is not repeated", inDoubt, { resend: "never" }, undefined)
  repeats("is not repeated once the schedule has ended", inDoubt, { repetitions: 0 }, undefined)

  it.effect("that is billed is repeated from the budget, which counts it", () =>
    Effect.gen(function* () {
      expect(yield* decide(inDoubt)).toEqual({ pause: 7000, repeated: 1 })
      expect(yield* decide(inDoubt, { ambiguousBudget: 0 })).toEqual({ pause: undefined, repeated: 0 })
      expect(yield* decide(inDoubt, { resend: "always" })).toEqual({ pause: 7000, repeated: 0 })
    })
  )

  it.effect("is not repeated if its caller says no, and the budget does not count it", () =>
    Effect.gen(function* () {
      const asked = (isAllowed: boolean) =>
        decide(inDoubt, { operator: { mayRepeat: Effect.succeed(isAllowed) } })
      expect(yield* asked(false)).toEqual({ pause: undefined, repeated: 0 })
      expect(yield* asked(true)).toEqual({ pause: 7000, repeated: 1 })
    })
  )
})

describe("a call that a circuit holds back", () => {
  repeats(
    "waits for that, without a pause and however often it was sent",
    inDoubt,
    {
      circuit: "holds",
      repetitions: 0
    },
    0
  )
  repeats("has a pause of its own if the circuit lets it go", inDoubt, { circuit: "lets go" }, 7000)
  repeats("has a pause of its own if it takes no part in the circuit", rateLimited, {}, 7000)
})

describe("a request that the service fails with", () => {
  const asked: Array<number> = []
  const divide = (attempts: number) => {
    asked.push(attempts)
    return true
  }
  const undecodable = new TranslateError.UndecodableResponse({
    ...call,
    delivery: "ambiguous",
    status: 200
  })

  repeats(
    "is divided instead, if its caller says so",
    inDoubt,
    { circuit: "lets go", operator: { divide } },
    undefined
  )
  repeats(
    "is repeated if its caller says no",
    inDoubt,
    {
      circuit: "lets go",
      operator: { divide: () => false }
    },
    7000
  )
  repeats("is repeated if nobody can divide it", inDoubt, { circuit: "lets go" }, 7000)
  repeats("is not divided in an outage", inDoubt, { circuit: "holds", operator: { divide } }, 0)
  repeats("is not divided if it takes no part in a circuit", inDoubt, { operator: { divide } }, 7000)
  repeats(
    "is not divided after another error",
    undecodable,
    { circuit: "lets go", operator: { divide } },
    7000
  )

  it.effect("is divided by how often it was sent", () =>
    Effect.gen(function* () {
      asked.length = 0
      yield* decide(inDoubt, { circuit: "lets go", operator: { divide } })
      expect(asked).toEqual([2])
    })
  )
})
