/** What a stream does after an error, by the class that decides it. No stream runs. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import { type Outcome, TranslateError } from "effect-translate"
import { StoreError } from "effect-translate/store"
import type { Batch } from "../../src/stream/internal/packing.js"
import { Refusals } from "../../src/stream/internal/refusals.js"
import {
  badRequest,
  inDoubt,
  payloadTooLarge,
  quotaExceeded,
  rateLimited,
  unauthorized,
  unavailable
} from "./support.js"

const call = { method: "POST", path: "/v2/translate", attempts: 1, ambiguousAttempts: 0 } as const
const rejected = { ...call, delivery: "rejected" } as const
const transport = (reason: string) =>
  new TranslateError.TransportError({ ...call, delivery: "not-sent", reason })
const proxyRefused = (status: number) =>
  new TranslateError.ProxyRefused({ ...call, delivery: "not-sent", status })
const unexpected = new TranslateError.UnexpectedStatus({ ...rejected, status: 418 })

const verdictOf = (error: Outcome.StreamError) => new Refusals().judge(error)

const answered = (requests: number): Refusals => {
  const refusals = new Refusals()
  for (let i = 0; i < requests; i++) refusals.succeeded()
  return refusals
}

/** The verdicts over an error that comes so often in a row. */
const inRow = (refusals: Refusals, error: Outcome.StreamError, times: number) =>
  Array.from({ length: times }, () => refusals.judge(error))

describe("an error that all other requests would meet too", () => {
  for (const error of [
    unauthorized,
    quotaExceeded,
    new TranslateError.NotFound({ ...rejected, status: 404 }),
    new TranslateError.UnsupportedMediaType({ ...rejected, status: 415 }),
    new TranslateError.UriTooLong({ ...rejected, status: 414 }),
    new TranslateError.InvalidRequest({ ...call, delivery: "not-sent", violations: [] }),
    new TranslateError.Outage({
      ...call,
      delivery: "not-sent",
      lastError: "ServerError (status 500)",
      failures: 3,
      lasted: Duration.minutes(1)
    }),
    new StoreError.StoreFull({ store: "a.db" }),
    transport("CERT_HAS_EXPIRED"),
    proxyRefused(407)
  ]) {
    it(`ends the stream: ${error._tag}`, () => {
      expect(verdictOf(error)).toBe("stop")
      expect(answered(1).judge(error)).toBe("stop")
    })
  }
})

describe("an error that says nothing of other requests", () => {
  for (const error of [
    transport("ECONNREFUSED"),
    proxyRefused(502),
    rateLimited,
    unexpected,
    unavailable,
    inDoubt,
    new TranslateError.TimedOut({ ...call, delivery: "ambiguous", after: Duration.seconds(30) }),
    new TranslateError.UndecodableResponse({ ...call, delivery: "ambiguous", status: 200 }),
    new TranslateError.MismatchedResponse({
      ...call,
      delivery: "ambiguous",
      status: 200,
      expected: 1,
      received: 2
    })
  ]) {
    it(`fails the texts of its request alone: ${error._tag}`, () => {
      expect(verdictOf(error)).toBe("fail")
      expect(answered(1).judge(error)).toBe("fail")
    })
  }
})

describe("an error that one text of many may have caused", () => {
  for (const error of [payloadTooLarge, badRequest]) {
    it(`sends the texts in other requests: ${error._tag}`, () => {
      expect(verdictOf(error)).toBe("resend")
      expect(answered(1).judge(error)).toBe("resend")
    })
  }
})

describe("refusals in a row", () => {
  for (const error of [badRequest, unexpected]) {
    it(`end a stream at the twelfth, before any request has succeeded: ${error._tag}`, () => {
      const verdicts = inRow(new Refusals(), error, 12)
      expect(verdicts.slice(0, 11)).not.toContain("stop")
      expect(verdicts[11]).toBe("stop")
    })
  }

  for (const error of [payloadTooLarge, rateLimited]) {
    it(`say nothing of the options before any request has succeeded: ${error._tag}`, () => {
      expect(inRow(new Refusals(), error, 300)).not.toContain("stop")
    })
  }

  for (const error of [badRequest, unexpected, payloadTooLarge, rateLimited]) {
    it(`end a stream at the 200th, after one has succeeded: ${error._tag}`, () => {
      const verdicts = inRow(answered(1), error, 200)
      expect(verdicts.slice(0, 199)).not.toContain("stop")
      expect(verdicts[199]).toBe("stop")
    })
  }

  it("begin anew with each request that succeeds", () => {
    const refusals = answered(1)
    inRow(refusals, badRequest, 199)
    refusals.succeeded()
    expect(inRow(refusals, badRequest, 199)).not.toContain("stop")
    expect(refusals.judge(badRequest)).toBe("stop")
  })

  it("are not those of a service that fails, however many", () => {
    for (const refusals of [answered(1), new Refusals()]) {
      expect(inRow(refusals, unavailable, 1000)).not.toContain("stop")
      expect(refusals.judge(badRequest)).toBe("resend")
    }
  })
})

const batch = (texts: number, suspectedAt?: number): Batch<unknown> => ({
  _tag: "Batch",
  items: [],
  texts: Array<string>(texts).fill("a"),
  bytes: 0,
  context: undefined,
  ...(suspectedAt === undefined ? {} : { suspectedAt })
})

describe("a request that the service fails with", () => {
  it("is repeated as it is after its first attempt, and divided after the second", () => {
    expect(new Refusals().divides(batch(2), 1)).toBe(false)
    expect(new Refusals().divides(batch(2), 2)).toBe(true)
  })

  it("is divided after its first attempt if its texts have failed among others", () => {
    expect(new Refusals().divides(batch(2, 0), 1)).toBe(true)
  })

  it("is repeated as it is, if it has one text only that has not failed among others", () => {
    expect(new Refusals().divides(batch(1), 2)).toBe(false)
  })

  it("is given up after its second attempt, if it has one text only that has failed among others", () => {
    expect(new Refusals().divides(batch(1, 0), 1)).toBe(false)
    expect(new Refusals().divides(batch(1, 0), 2)).toBe(true)
  })

  it("waits, if two have been divided since the last answer", () => {
    const refusals = new Refusals()
    const divided = () => refusals.divides(batch(2), 2)
    expect([divided(), divided(), divided()]).toEqual([true, true, false])
    refusals.succeeded()
    expect([divided(), divided(), divided()]).toEqual([true, true, false])
  })
})

describe("a text that the service fails with alone", () => {
  const isBlamed = (refusals: Refusals, batch: Batch<unknown>) => {
    refusals.blame(batch, inDoubt)
    return refusals.isAtFault(inDoubt)
  }

  it("is at fault, if requests were answered since it has failed among others", () => {
    expect(isBlamed(answered(3), batch(1, 2))).toBe(true)
  })

  it("is not, if none was: the service may be down", () => {
    expect(isBlamed(answered(2), batch(1, 2))).toBe(false)
  })

  it("is not, if it has failed only now", () => {
    expect(isBlamed(answered(3), batch(1))).toBe(false)
  })

  it("is not, if others were in the request", () => {
    expect(isBlamed(answered(3), batch(2, 2))).toBe(false)
  })
})
