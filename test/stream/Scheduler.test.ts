/** The scheduler by itself: every test asks for steps and answers them by hand. No fiber runs, and no Effect. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Budget, type Outcome, RetryPolicy } from "effect-translate"
import * as fc from "fast-check"
import * as Cost from "../../src/stream/internal/cost.js"
import * as Row from "../../src/stream/internal/element.js"
import type { LookUp } from "../../src/stream/internal/lookUps.js"
import * as Matching from "../../src/stream/internal/matching.js"
import type { BatchLimits, Options } from "../../src/stream/internal/options.js"
import type { Batch } from "../../src/stream/internal/packing.js"
import type { Parked } from "../../src/stream/internal/permits.js"
import type { Record, Step } from "../../src/stream/internal/protocol.js"
import { Scheduler } from "../../src/stream/internal/scheduler.js"
import { Verifier } from "../../src/stream/internal/verifier.js"
import type { Learned } from "../../src/stream/ServiceLimits.js"
import type * as Check from "../../src/text/Check.js"
import { runs } from "../support/long.js"
import { assertReaching } from "../support/reaching.js"
import {
  badRequest,
  causes,
  charactersOf,
  inDoubt,
  mark,
  numbered,
  payloadTooLarge,
  tags,
  unauthorized,
  unavailable,
  values
} from "./support.js"

const request = { method: "POST", path: "/v2/translate" } as const

/** What one stream learns, without `ServiceLimits`, which needs an Effect. */
const learnedOf = (accepted: boolean): Learned & { readonly refused: ReadonlyArray<number> } => {
  const refused: Array<number> = []
  let isAccepted = accepted
  return {
    refused,
    isAccepted: () => isAccepted,
    maxBytes: () => Math.min(...refused, Number.POSITIVE_INFINITY),
    accept: () => {
      isAccepted = true
    },
    refuse: (bytes) => refused.push(bytes - 1),
    doubtBill: () => true
  }
}

interface Given {
  readonly options?: Options
  readonly limits?: Partial<BatchLimits>
  /** Whether the service has accepted the options before. */
  readonly accepted?: boolean
  readonly hasStore?: boolean
  readonly takesContext?: boolean
}

const limitsOf = (limits?: Partial<BatchLimits>): BatchLimits => ({
  overheadBytes: 10,
  maxBytes: 1000,
  maxTexts: 3,
  ...limits
})

const make = <A, B>(
  elements: Row.Elements<A, B>,
  { accepted = true, hasStore = false, limits, options = {}, takesContext = true }: Given
) =>
  new Scheduler({
    elements,
    endpoint: request,
    hash: 0,
    limits: limitsOf(limits),
    learned: learnedOf(accepted),
    options,
    hasStore,
    takesContext,
    verifier: new Verifier(options, RetryPolicy.make())
  })

type Texts = Scheduler<string, string>

/** A scheduler of texts that has been asked to pull. */
const pulling = (given: Given = {}): Texts => {
  const scheduler = make(Row.texts, given)
  expect(scheduler.step()).toBe("pull")
  return scheduler
}

/** A scheduler that has pulled some texts. */
const pulled = (texts: ReadonlyArray<string>, given: Given = {}): Texts => {
  const scheduler = pulling(given)
  scheduler.pulled(texts)
  return scheduler
}

/** A scheduler that has pulled all of its texts. */
const whole = (texts: ReadonlyArray<string>, given: Given = {}): Texts => {
  const scheduler = pulled(texts, given)
  scheduler.sourceEnded()
  return scheduler
}

const isBatch = <A>(step: Step<A>): step is Batch<A> => typeof step === "object" && step._tag === "Batch"

const batchOf = <A, B>(scheduler: Scheduler<A, B>): Batch<A> => {
  const step = scheduler.step()
  return isBatch(step) ? step : expect.fail(`${JSON.stringify(step)} is no batch`)
}

/** All batches that can be sent at once. */
const batchesOf = <A, B>(scheduler: Scheduler<A, B>): ReadonlyArray<Batch<A>> => {
  const batches: Array<Batch<A>> = []
  for (;;) {
    const step = scheduler.step()
    if (!isBatch(step)) return batches
    batches.push(step)
  }
}

const textsOf = (batches: ReadonlyArray<Batch<unknown>>) => batches.map(({ texts }) => texts)

const answer = <A, B>(
  scheduler: Scheduler<A, B>,
  { items, ...batch }: Batch<A>,
  {
    ambiguousAttempts = 0,
    translate = mark
  }: { readonly ambiguousAttempts?: number; readonly translate?: typeof mark } = {}
): void => {
  const translations = batch.texts.map((text) => ({ text: translate(text) }))
  const exit = Exit.succeed({ translations, attempts: 1 + ambiguousAttempts, ambiguousAttempts })
  scheduler.ended({ items, ...batch }, { _tag: "Answered", cost: Cost.of(batch.texts, exit), translations })
}

const fail = <A, B>(scheduler: Scheduler<A, B>, batch: Batch<A>, error: Outcome.StreamError): void =>
  scheduler.ended(batch, {
    _tag: "Failed",
    cost: Cost.of(batch.texts, Exit.fail(error)),
    error,
    isDivided: false
  })

const lose = <A, B>(scheduler: Scheduler<A, B>, batch: Batch<A>): void =>
  scheduler.ended(batch, { _tag: "ClaimLost", cost: Cost.of(batch.texts, Exit.fail(inDoubt)) })

/** Answers one batch after the other until there is none. */
const answerAll = (
  scheduler: Texts,
  respond: (batch: Batch<string>) => unknown = (batch) => answer(scheduler, batch)
) => {
  const sent: Array<ReadonlyArray<string>> = []
  for (let step = scheduler.step(); isBatch(step); step = scheduler.step()) {
    sent.push(step.texts)
    respond(step)
  }
  return sent
}

const refuseAll = (scheduler: Texts, bad: string, error: Outcome.StreamError) =>
  answerAll(scheduler, (batch) => {
    if (batch.texts.includes(bad)) fail(scheduler, batch, error)
    else answer(scheduler, batch)
  })

describe("the next step", () => {
  it("is a pull, then nothing until the pull has ended", () => {
    const scheduler = pulling()
    expect(scheduler.step()).toBe("wait")
    scheduler.pulled([])
    expect(scheduler.step()).toBe("pull")
  })

  it("is nothing more once the source has ended without elements", () => {
    const scheduler = pulling()
    scheduler.sourceEnded()
    expect(scheduler.step()).toBe("done")
    expect(scheduler.isIdle).toBe(true)
  })

  it("is a batch as soon as one is full, and before the next pull", () => {
    const scheduler = pulled(numbered(7))
    expect(batchOf(scheduler).texts).toEqual(["t0", "t1", "t2"])
    expect(batchOf(scheduler).texts).toEqual(["t3", "t4", "t5"])
    expect(scheduler.step()).toBe("pull")
  })

  it("is a batch of texts from several pulls", () => {
    const scheduler = pulled(["a", "b"])
    expect(scheduler.step()).toBe("pull")
    scheduler.pulled(["c"])
    expect(batchOf(scheduler).texts).toEqual(["a", "b", "c"])
  })

  it("is the batch that is not full once the source has ended", () => {
    const scheduler = whole(numbered(4))
    expect(textsOf(batchesOf(scheduler))).toEqual([["t0", "t1", "t2"], ["t3"]])
    expect(scheduler.step()).toBe("done")
    expect(scheduler.isIdle).toBe(false)
  })

  it("is no batch if as many are in flight as may be", () => {
    const scheduler = whole(numbered(9), { options: { concurrency: 2 } })
    const [first] = batchesOf(scheduler)
    expect(scheduler.step()).toBe("wait")
    answer(scheduler, first!)
    expect(batchOf(scheduler).texts).toEqual(["t6", "t7", "t8"])
    expect(scheduler.step()).toBe("done")
  })

  it("is a batch that is full by its bytes", () => {
    const scheduler = whole(["aaaa", "bbbb", "cccc"], { limits: { maxBytes: 10 + 6 + 1 + 6 } })
    expect(batchesOf(scheduler)).toMatchObject([
      { texts: ["aaaa", "bbbb"], bytes: 23 },
      { texts: ["cccc"], bytes: 16 }
    ])
  })
})

describe("a batch that is not full", () => {
  it("is closed if the source keeps waiting and nothing is in flight", () => {
    const scheduler = pulled(["a"])
    expect(scheduler.step()).toBe("pull")
    expect(scheduler.step()).toBe("wait")
    scheduler.flushIfIdle()
    expect(scheduler.packing.packed).toHaveLength(1)
    expect(batchOf(scheduler).texts).toEqual(["a"])
  })

  it("stays open while another one is in flight", () => {
    const scheduler = pulled(numbered(4))
    const first = batchOf(scheduler)
    expect(scheduler.step()).toBe("pull")
    scheduler.flushIfIdle()
    expect(scheduler.packing.packed).toHaveLength(0)
    answer(scheduler, first)
    scheduler.flushIfIdle()
    expect(batchOf(scheduler).texts).toEqual(["t3"])
  })

  it("stays open while nothing is being pulled", () => {
    const scheduler = pulled(["a"])
    expect(scheduler.step()).toBe("pull")
    scheduler.pulled([])
    scheduler.flushIfIdle()
    expect(scheduler.packing.packed).toHaveLength(0)
    expect(scheduler.step()).toBe("pull")
  })

  it("is closed by nothing but the end of its linger, where there is one, and once it can be sent", () => {
    const scheduler = pulled(["a"], { options: { linger: "1 second", concurrency: 1 } })
    expect(scheduler.step()).toBe("pull")
    scheduler.flushIfIdle()
    expect(scheduler.packing.packed).toHaveLength(0)
    scheduler.endLinger(scheduler.openBatch + 1)
    expect(scheduler.step()).toBe("wait")
    scheduler.endLinger(scheduler.openBatch)
    const first = batchOf(scheduler)
    expect(first.texts).toEqual(["a"])
    scheduler.pulled(["b"])
    expect(scheduler.step()).toBe("pull")
    scheduler.endLinger(scheduler.openBatch)
    expect(scheduler.step()).toBe("wait")
    expect(scheduler.packing.packed).toHaveLength(0)
    answer(scheduler, first)
    expect(batchOf(scheduler).texts).toEqual(["b"])
  })

  it("is none once it is full: the next text opens another one", () => {
    const scheduler = pulled(numbered(3))
    batchOf(scheduler)
    expect(scheduler.openBatch).toBe(0)
    expect(scheduler.step()).toBe("pull")
    scheduler.pulled(["t3"])
    expect(scheduler.step()).toBe("pull")
    expect(scheduler.openBatch).toBe(2)
  })

  it("is closed if the window is full behind it", () => {
    const scheduler = pulled(["a", ...Array(5000).fill("")], { options: { concurrency: 1 } })
    const batch = batchOf(scheduler)
    expect(batch.texts).toEqual(["a"])
    expect(scheduler.step()).toBe("wait")
    answer(scheduler, batch)
    expect(scheduler.take()).toHaveLength(4000)
    expect(scheduler.step()).toBe("pull")
    expect(scheduler.take()).toHaveLength(1001)
  })
})

describe("until the service has accepted the options", () => {
  it("one batch is sent at a time", () => {
    const scheduler = whole(numbered(7), { accepted: false })
    const first = batchOf(scheduler)
    expect(scheduler.step()).toBe("wait")
    expect(scheduler.isHeldBack).toBe(true)
    answer(scheduler, first)
    const [second, third] = batchesOf(scheduler)
    expect(scheduler.isHeldBack).toBe(false)
    answer(scheduler, second!)
    answer(scheduler, third!)
    expect(values(scheduler.take())).toEqual(numbered(7).map(mark))
  })

  it("a failed batch leaves the next one alone too", () => {
    const scheduler = whole(numbered(9), { accepted: false })
    fail(scheduler, batchOf(scheduler), unavailable)
    expect(batchesOf(scheduler)).toHaveLength(1)
  })

  it("twelve refusals are taken for a refusal of the options, and end the stream", () => {
    const scheduler = whole(numbered(100), { accepted: false })
    const sent = answerAll(scheduler, (batch) => fail(scheduler, batch, badRequest))
    expect(sent).toHaveLength(12)
    expect(scheduler.fatal).toBe(badRequest)
    expect(causes(scheduler.take())).toEqual(Array(100).fill("BadRequest"))
  })
})

describe("the window", () => {
  // Twice the concurrency and two batches of 3 texts.
  const options = { concurrency: 2 }
  const room = 18

  /** Answers all batches but the first, which no outcome may pass. */
  const answerBehind = (scheduler: Texts) => {
    const first = batchOf(scheduler)
    return { first, sent: [first.texts, ...answerAll(scheduler)] }
  }

  it("is full of so many texts, which the concurrency bounds", () => {
    const scheduler = pulled(numbered(100), { options })
    expect(answerBehind(scheduler).sent.flat()).toEqual(numbered(room))
    expect(scheduler.step()).toBe("wait")
  })

  it("has room again for elements that have left", () => {
    const scheduler = pulled(numbered(100), { options })
    const { first } = answerBehind(scheduler)
    expect(scheduler.window.canTake).toBe(false)
    answer(scheduler, first)
    expect(scheduler.step()).toBe("wait")
    expect(scheduler.take()).toHaveLength(room)
    expect(batchOf(scheduler).texts).toEqual(["t18", "t19", "t20"])
  })

  it("is full of so many bytes", () => {
    const page = "x".repeat(900)
    const scheduler = pulled(Array(100).fill(page), { options })
    expect(answerBehind(scheduler).sent).toHaveLength(6)
    expect(scheduler.step()).toBe("wait")
  })
})

describe("the order", () => {
  it("is kept: an outcome waits for those before it", () => {
    const scheduler = whole(numbered(9))
    const [first, second, third] = batchesOf(scheduler)
    answer(scheduler, third!)
    answer(scheduler, first!)
    expect(values(scheduler.take())).toEqual(numbered(3).map(mark))
    answer(scheduler, second!)
    expect(values(scheduler.take())).toEqual(numbered(9).slice(3).map(mark))
    expect(scheduler.isIdle).toBe(true)
  })

  it("is that of the answers if the stream is unordered", () => {
    const scheduler = whole(numbered(6), { options: { unordered: true } })
    const [first, second] = batchesOf(scheduler)
    answer(scheduler, second!)
    expect(values(scheduler.take())).toEqual(["<t3>", "<t4>", "<t5>"])
    answer(scheduler, first!)
    expect(values(scheduler.take())).toEqual(["<t0>", "<t1>", "<t2>"])
  })
})

describe("a batch that waits to be sent again", () => {
  const options = { concurrency: 1 }

  it("gives its permit to another one in an outage, and gets the next one that is free", () => {
    const scheduler = whole(numbered(9), { options })
    const first = batchOf(scheduler)
    expect(scheduler.step()).toBe("wait")
    const parked = scheduler.permits.park(true)
    const second = batchOf(scheduler)
    expect(parked?.tryResume()).toBe(false)
    answer(scheduler, second)
    expect(scheduler.step()).toBe("wait")
    expect(parked?.tryResume()).toBe(true)
    answer(scheduler, first)
    answer(scheduler, batchOf(scheduler))
    expect(scheduler.step()).toBe("done")
    expect(values(scheduler.take())).toEqual(numbered(9).map(mark))
  })

  it("makes room for the texts of another one while it is parked", () => {
    const scheduler = pulled(numbered(100), { options })
    const batches = [batchOf(scheduler)]
    const parked: Array<Parked> = []
    for (;;) {
      const another = scheduler.permits.park(true)
      if (another === undefined) break
      parked.push(another)
      batches.push(batchOf(scheduler))
    }
    expect(batches).toHaveLength(9)
    for (const [index, { resume }] of parked.entries()) {
      answer(scheduler, batches[index + 1]!)
      resume()
    }
    answer(scheduler, batches[0]!)
    expect(scheduler.take()).toHaveLength(27)
    const held = batchOf(scheduler)
    const rest = [held.texts, ...answerAll(scheduler)]
    expect(rest).toHaveLength(1)
    answer(scheduler, held)
    // The window holds four batches again.
    expect(answerAll(scheduler)).toHaveLength(3)
    expect(scheduler.step()).toBe("wait")
  })
})

describe("a batch that the budget does not hold", () => {
  const left = (characters: number) =>
    new Budget.BudgetExceeded({ cap: 100, used: 100 - characters, needed: 9 })

  it("is sent as far as it fits, and the rest is asked about once that is answered", () => {
    const scheduler = whole(["aa", "b", "cc"])
    fail(scheduler, batchOf(scheduler), left(1))
    const first = batchOf(scheduler)
    expect(first.texts).toEqual(["b"])
    expect(scheduler.step()).toBe("done")
    answer(scheduler, first)
    const rest = batchOf(scheduler)
    expect(rest.texts).toEqual(["aa", "cc"])
    fail(scheduler, rest, left(0))
    expect(scheduler.step()).toBe("done")
    expect(causes(scheduler.take())).toEqual(["BudgetExceeded", "Translated", "BudgetExceeded"])
    expect(scheduler.fatal).toMatchObject({ _tag: "BudgetExceeded", used: 100, needed: 2 })
  })
})

describe("blank texts", () => {
  it("are skipped and not sent", () => {
    const scheduler = whole(["", "a", " \n"])
    expect(answerAll(scheduler)).toEqual([["a"]])
    const outcomes = scheduler.take()
    expect(tags(outcomes)).toEqual(["Skipped", "Translated", "Skipped"])
    expect(values(outcomes)).toEqual(["", "<a>", " \n"])
  })

  it("leave at once, and the source is pulled further", () => {
    const scheduler = pulled(["", " "])
    expect(scheduler.step()).toBe("pull")
    expect(tags(scheduler.take())).toEqual(["Skipped", "Skipped"])
  })
})

describe("a row", () => {
  const rows = Row.elements<
    ReadonlyArray<string | null>,
    ReadonlyArray<string | null>,
    ReadonlyArray<string | null>
  >({
    texts: (row) => row,
    replace: (_, texts) => texts
  })

  it("leaves when the last of its texts has come, from whatever batch", () => {
    const scheduler = make(rows, { limits: { maxTexts: 2 } })
    scheduler.step()
    scheduler.pulled([["a", null, "b", "c"]])
    scheduler.sourceEnded()
    const [first, second] = batchesOf(scheduler)
    answer(scheduler, second!)
    expect(scheduler.take()).toEqual([])
    answer(scheduler, first!)
    expect(scheduler.take()).toMatchObject([
      {
        _tag: "Translated",
        value: ["<a>", null, "<b>", "<c>"],
        texts: { translated: 3, cached: 0, skipped: 1, failed: 0 }
      }
    ])
  })

  it("has failed if one of its texts has, and keeps the others", () => {
    const scheduler = make(rows, { limits: { maxTexts: 2 } })
    scheduler.step()
    scheduler.pulled([["a", "b", "c"]])
    scheduler.sourceEnded()
    const [first, second] = batchesOf(scheduler)
    answer(scheduler, first!)
    fail(scheduler, second!, unavailable)
    expect(scheduler.take()).toMatchObject([
      {
        _tag: "Failed",
        value: ["<a>", "<b>", "c"],
        texts: { translated: 2, cached: 0, skipped: 0, failed: 1 },
        failures: [{ field: 2, error: unavailable }]
      }
    ])
  })

  it("is charged for its own texts, and for attempts that may have been billed besides", () => {
    const scheduler = make(rows, {})
    scheduler.step()
    scheduler.pulled([["aa"], ["bbb", "🌍"]])
    scheduler.sourceEnded()
    answer(scheduler, batchOf(scheduler), { ambiguousAttempts: 2 })
    expect(scheduler.take().map(({ cost }) => cost)).toEqual([
      { characters: 2, ambiguousCharacters: 4 },
      { characters: 4, ambiguousCharacters: 8 }
    ])
  })

  it("is charged for a failure that may have been billed", () => {
    const scheduler = whole(["aa", "bbb"])
    fail(scheduler, batchOf(scheduler), inDoubt)
    expect(scheduler.take()).toMatchObject([
      { _tag: "Failed", cost: { characters: 0, ambiguousCharacters: 2 } },
      { _tag: "Failed", cost: { characters: 0, ambiguousCharacters: 3 } }
    ])
  })
})

describe("a bad request", () => {
  it("is halved until the bad text stands alone, and its halves go first", () => {
    const scheduler = whole(["a", "b", "bad", "c", "d"], { limits: { maxTexts: 4 } })
    expect(refuseAll(scheduler, "bad", badRequest)).toEqual([
      ["a", "b", "bad", "c"],
      ["a", "b"],
      ["bad", "c"],
      ["bad"],
      ["c"],
      ["d"]
    ])
    const outcomes = scheduler.take()
    expect(causes(outcomes)).toEqual(["Translated", "Translated", "BadRequest", "Translated", "Translated"])
    expect(outcomes.map(({ cost }) => cost.characters)).toEqual([1, 1, 0, 1, 1])
    expect(scheduler.fatal).toBeUndefined()
  })

  it("counts no refusal against the options once a batch was answered", () => {
    const scheduler = whole(numbered(40))
    answer(scheduler, batchOf(scheduler))
    expect(answerAll(scheduler, (batch) => fail(scheduler, batch, badRequest)).length).toBeGreaterThan(40)
    expect(scheduler.fatal).toBeUndefined()
  })

  it("counts against options that were accepted elsewhere: they may not hold any more", () => {
    const scheduler = whole(numbered(40), { accepted: true })
    expect(answerAll(scheduler, (batch) => fail(scheduler, batch, badRequest))).toHaveLength(12)
    expect(scheduler.fatal).toBe(badRequest)
  })
})

describe("a failure of the service", () => {
  it("fails the texts of its batch alone, and they are not sent again", () => {
    const scheduler = whole(numbered(6))
    expect(refuseAll(scheduler, "t1", unavailable)).toHaveLength(2)
    expect(causes(scheduler.take())).toEqual([
      ...Array(3).fill("ServerError"),
      ...Array(3).fill("Translated")
    ])
    expect(scheduler.fatal).toBeUndefined()
  })
})

describe("a body that is too large for the service", () => {
  it("is halved, and requests that are packed from then on are smaller", () => {
    const scheduler = pulled(numbered(6), { limits: { maxTexts: 6 } })
    const batch = batchOf(scheduler)
    expect(batch.texts).toHaveLength(6)
    fail(scheduler, batch, payloadTooLarge)
    expect(textsOf(batchesOf(scheduler))).toEqual([numbered(3), numbered(6).slice(3)])
    scheduler.pulled(numbered(12).slice(6))
    const next = batchOf(scheduler)
    expect(next.bytes).toBeLessThan(batch.bytes)
    expect(next.texts).toHaveLength(5)
  })

  it("is cut if it holds a single text, and the text comes out as one", () => {
    const text = `${"The first sentence. ".repeat(10)}The last.`
    const scheduler = whole([text])
    const [whole_, ...parts] = answerAll(scheduler, (batch) => {
      if (batch.bytes > 150) fail(scheduler, batch, payloadTooLarge)
      else answer(scheduler, batch, { translate: (text) => text.toUpperCase() })
    })
    expect(whole_).toEqual([text])
    expect(parts.length).toBeGreaterThan(1)
    expect(values(scheduler.take())).toEqual([text.toUpperCase()])
  })

  it("fails if its text is too small to be cut", () => {
    const scheduler = whole(["a", "b"])
    answerAll(scheduler, (batch) => fail(scheduler, batch, payloadTooLarge))
    expect(causes(scheduler.take())).toEqual(["PayloadTooLarge", "PayloadTooLarge"])
    expect(scheduler.fatal).toBeUndefined()
  })
})

describe("a text that fits into no request", () => {
  const text = "One sentence of many. ".repeat(20).trim()
  const limits = { maxBytes: 160 }

  it("is sent in segments, and comes out as one text with the cost of all", () => {
    const scheduler = whole(["a", text, "b"], { limits })
    const sent = answerAll(scheduler, (batch) => {
      expect(batch.bytes).toBeLessThanOrEqual(160)
      answer(scheduler, batch, { translate: (text) => text.toUpperCase() })
    }).flat()
    expect(sent.length).toBeGreaterThan(4)
    const outcomes = scheduler.take()
    expect(values(outcomes)).toEqual(["A", text.toUpperCase(), "B"])
    expect(outcomes.map(({ cost }) => cost.characters)).toEqual([1, charactersOf(sent) - 2, 1])
  })

  it("fails as a whole if one segment fails, once the others have ended, and has their cost", () => {
    const scheduler = whole([text], { limits })
    const [first, ...others] = batchesOf(scheduler)
    fail(scheduler, first!, unavailable)
    expect(scheduler.take()).toEqual([])
    for (const batch of others) answer(scheduler, batch)
    expect(scheduler.take()).toMatchObject([
      {
        _tag: "Failed",
        value: text,
        texts: { translated: 0, cached: 0, skipped: 0, failed: 1 },
        cost: { characters: charactersOf(others.flatMap(({ texts }) => texts)) },
        failures: [{ field: "text", error: unavailable }]
      }
    ])
  })

  it("fails alone and is not sent if it may not be cut", () => {
    const scheduler = whole(["a", text, "b"], { limits, options: { oversized: "fail" } })
    expect(answerAll(scheduler)).toEqual([["a", "b"]])
    const outcomes = scheduler.take()
    expect(causes(outcomes)).toEqual(["Translated", "InvalidRequest", "Translated"])
    expect(outcomes[1]).toMatchObject({ failures: [{ error: { violations: [{ field: "text" }] } }] })
  })
})

describe("a lost placeholder", () => {
  const lose = (scheduler: Texts, batch: Batch<string>) =>
    void answer(scheduler, batch, { translate: (text) => text.replace(/<x.*<\/x>/, "?") })

  const text = "Hi {name}"

  it("fails its text", () => {
    const scheduler = whole([text, "b"], { options: { placeholders: {} } })
    expect(answerAll(scheduler, (batch) => lose(scheduler, batch))).toEqual([
      ['Hi <x id="1">{name}</x>', "b"]
    ])
    expect(causes(scheduler.take())).toEqual(["TranslationRefused", "Translated"])
  })

  it("is asked for again if verify says so, alone and with its neighbours, and the text pays for both", () => {
    const options = { placeholders: {}, verify: {} }
    const scheduler = whole(["a", text, "b"], { options })
    const first = batchOf(scheduler)
    lose(scheduler, first)
    expect(causes(scheduler.take())).toEqual(["Translated"])
    const second = batchOf(scheduler)
    expect(second.texts).toEqual([first.texts[1]])
    expect(second.context).toBe("a\nb")
    answer(scheduler, second)
    const characters = 2 * charactersOf(second.texts)
    expect(scheduler.take()).toMatchObject([
      { _tag: "Translated", value: mark(text), cost: { characters } },
      { _tag: "Translated", value: "b" }
    ])
  })

  it("is asked for again without its neighbours, if requests take no context", () => {
    const options = { placeholders: {}, verify: {} }
    const scheduler = whole(["a", text, "b"], { options, takesContext: false })
    lose(scheduler, batchOf(scheduler))
    expect(batchOf(scheduler).context).toBeUndefined()
  })

  it("is not sent again once the stream ends", () => {
    const scheduler = whole([text], { options: { placeholders: {}, verify: {} } })
    const batch = batchOf(scheduler)
    scheduler.stop(unauthorized)
    lose(scheduler, batch)
    expect(scheduler.step()).toBe("done")
    expect(causes(scheduler.take())).toEqual(["TranslationRefused"])
  })
})

describe("a fatal failure", () => {
  it("fails all that was pulled and not sent, at no cost, and waits for requests in flight", () => {
    const scheduler = pulled(numbered(20))
    const first = batchOf(scheduler)
    const second = batchOf(scheduler)
    fail(scheduler, second, unauthorized)
    expect(scheduler.fatal).toBe(unauthorized)
    expect(scheduler.step()).toBe("done")
    expect(scheduler.isIdle).toBe(false)
    answer(scheduler, first)
    const outcomes = scheduler.take()
    expect(causes(outcomes)).toEqual([...Array(3).fill("Translated"), ...Array(17).fill("Unauthorized")])
    expect(outcomes.map(({ cost }) => cost.characters)).toEqual([...Array(3).fill(2), ...Array(17).fill(0)])
    expect(scheduler.isIdle).toBe(true)
  })

  it("fails the elements of a pull that is under way", () => {
    const scheduler = pulled(numbered(3))
    const batch = batchOf(scheduler)
    expect(scheduler.step()).toBe("pull")
    fail(scheduler, batch, unauthorized)
    scheduler.pulled(["x", ""])
    expect(scheduler.step()).toBe("done")
    expect(causes(scheduler.take())).toEqual([...Array(4).fill("Unauthorized"), "Skipped"])
  })

  it("leaves no batch to be sent again: texts refused afterwards fail", () => {
    const scheduler = whole(numbered(6))
    const [first, second] = batchesOf(scheduler)
    fail(scheduler, first!, unauthorized)
    fail(scheduler, second!, badRequest)
    expect(scheduler.step()).toBe("done")
    expect(causes(scheduler.take())).toEqual([
      ...Array(3).fill("Unauthorized"),
      ...Array(3).fill("BadRequest")
    ])
  })

  it("is the first one, whatever fails later", () => {
    const scheduler = whole(numbered(3))
    scheduler.stop(unauthorized)
    scheduler.stop(badRequest)
    expect(scheduler.fatal).toBe(unauthorized)
  })

  it("fails a batch that was not sent any more, at no cost", () => {
    const scheduler = whole(["a"])
    const batch = batchOf(scheduler)
    scheduler.stop(unauthorized)
    scheduler.ended(batch, { _tag: "Halted" })
    expect(scheduler.take()).toMatchObject([
      { _tag: "Failed", cost: { characters: 0, ambiguousCharacters: 0 } }
    ])
    expect(scheduler.isIdle).toBe(true)
  })
})

describe("with a store", () => {
  const hasStore = true

  const lookUpOf = (scheduler: Texts): LookUp<string> => {
    const step = scheduler.step()
    return typeof step === "object" && step._tag === "LookUp"
      ? step
      : expect.fail(`${JSON.stringify(step)} is no look-up`)
  }

  const recordOf = (scheduler: Texts): Record<string> => {
    const step = scheduler.step()
    return typeof step === "object" && step._tag === "Record"
      ? step
      : expect.fail(`${JSON.stringify(step)} is no record`)
  }

  const find = (scheduler: Texts, known: (text: string) => { readonly text: string } | undefined) => {
    const step = lookUpOf(scheduler)
    const texts = step.items.map(({ text }) => text)
    scheduler.found(step, texts.map(known))
    return texts
  }

  const findNothing = (scheduler: Texts) => find(scheduler, () => undefined)

  /** The next batch, of which the store denies some texts: what is left of it. */
  const claimAllBut = (scheduler: Texts, ...denied: ReadonlyArray<string>) =>
    scheduler.claimed(batchOf(scheduler), (text) => !denied.includes(text))

  it("a chunk is looked up at once, equal texts once and blank ones not at all", () => {
    const scheduler = pulled(["a", "b", "", "a", "c", "d", "b"], { hasStore })
    const lookUp = lookUpOf(scheduler)
    expect(lookUp.items.map(({ text }) => text)).toEqual(["a", "b", "c", "d"])
    expect(scheduler.step()).toBe("pull")
  })

  it("known texts are cached at no cost and unknown ones are sent", () => {
    const scheduler = whole(["a", "b", "a"], { hasStore })
    expect(find(scheduler, (text) => (text === "a" ? { text: "A" } : undefined))).toEqual(["a", "b"])
    const batch = batchOf(scheduler)
    expect(batch.texts).toEqual(["b"])
    answer(scheduler, batch)
    scheduler.recorded(recordOf(scheduler))
    expect(scheduler.take()).toMatchObject([
      { _tag: "Cached", value: "A", cost: { characters: 0 } },
      { _tag: "Translated", value: "<b>", cost: { characters: 1 } },
      { _tag: "Cached", value: "A", cost: { characters: 0 } }
    ])
  })

  it("outcomes stay until their record has ended, and the equal texts with them", () => {
    const scheduler = whole(["a", "a"], { hasStore })
    findNothing(scheduler)
    answer(scheduler, batchOf(scheduler))
    const record = recordOf(scheduler)
    expect(record.settled.map(({ item }) => item.text)).toEqual(["a"])
    expect(scheduler.take()).toEqual([])
    scheduler.recorded(record)
    expect(tags(scheduler.take())).toEqual(["Translated", "Cached"])
  })

  it("texts that are denied are looked up again, and whoever else has nothing to do is done only after that", () => {
    const scheduler = whole(["a"], { hasStore })
    findNothing(scheduler)
    expect(claimAllBut(scheduler, "a")).toBeUndefined()
    const again = lookUpOf(scheduler)
    expect(again.isPending).toBe(true)
    expect(scheduler.step()).toBe("wait")
    scheduler.found(again, [{ text: "A" }])
    expect(scheduler.step()).toBe("done")
    expect(tags(scheduler.take())).toEqual(["Cached"])
  })

  it("texts that are denied and then unknown are sent", () => {
    const scheduler = whole(["a"], { hasStore })
    findNothing(scheduler)
    claimAllBut(scheduler, "a")
    findNothing(scheduler)
    expect(claimAllBut(scheduler)?.texts).toEqual(["a"])
  })

  it("the rest of a batch keeps its order, and its bytes are those of its body", () => {
    const limits = { maxTexts: 5 }
    const [all, some] = [
      ["a", "bc", "d", "é", "f"],
      ["bc", "é", "f"]
    ].map((texts) => {
      const scheduler = whole(texts, { hasStore, limits })
      findNothing(scheduler)
      return scheduler
    })
    const left = claimAllBut(all!, "a", "d")!
    expect(left.texts).toEqual(["bc", "é", "f"])
    expect(left.items.map(({ text }) => text)).toEqual(left.texts)
    expect(left.bytes).toBe(batchOf(some!).bytes)
    answer(all!, left)
    expect(all!.permits.isFree).toBe(true)
  })

  it("a batch of which all is denied gives its place back", () => {
    const scheduler = whole(["a", "b", "c", "d"], { hasStore, options: { concurrency: 1 } })
    findNothing(scheduler)
    claimAllBut(scheduler, "a", "b", "c")
    lookUpOf(scheduler)
    expect(batchOf(scheduler).texts).toEqual(["d"])
  })

  /** Three parts. */
  const long = "A sentence of a long text. ".repeat(9).trim()
  const limits = { maxBytes: 110, maxTexts: 1 }

  it("a text of which a part is denied is looked up once, as soon as none of its parts is on its way", () => {
    const scheduler = whole([long], { hasStore, limits, options: { concurrency: 4 } })
    findNothing(scheduler)
    const first = claimAllBut(scheduler)!
    const second = claimAllBut(scheduler)!
    expect(claimAllBut(scheduler, long)).toBeUndefined()
    answer(scheduler, first)
    expect(scheduler.step()).toBe("done")
    fail(scheduler, second, unavailable)
    const lookUp = lookUpOf(scheduler)
    expect(lookUp.items.map(({ text }) => text)).toEqual([long])
    scheduler.found(lookUp, [{ text: "Long" }])
    expect(scheduler.step()).toBe("done")
    expect(scheduler.take()).toMatchObject([
      { _tag: "Cached", value: "Long", cost: { characters: charactersOf(first.texts) } }
    ])
  })

  it("a part whose text is denied is not sent, though the store grants it", () => {
    const scheduler = whole([long], { hasStore, limits })
    findNothing(scheduler)
    claimAllBut(scheduler, long)
    expect(claimAllBut(scheduler)).toBeUndefined()
    expect(claimAllBut(scheduler)).toBeUndefined()
    expect(lookUpOf(scheduler).isPending).toBe(true)
  })

  it("a batch whose claim was lost is charged, and its texts are looked up again", () => {
    const scheduler = whole(["a"], { hasStore })
    findNothing(scheduler)
    const batch = claimAllBut(scheduler)!
    lose(scheduler, batch)
    find(scheduler, () => ({ text: "A" }))
    expect(scheduler.take()).toMatchObject([
      { _tag: "Cached", cost: { characters: 0, ambiguousCharacters: 1 } }
    ])
  })

  it("a batch that is not full is sent while only denied texts are waited for", () => {
    const scheduler = pulled(["a", "b"], { hasStore })
    findNothing(scheduler)
    scheduler.step()
    scheduler.flushIfIdle()
    expect(claimAllBut(scheduler, "a")?.texts).toEqual(["b"])
    lookUpOf(scheduler)
    scheduler.pulled(["c"])
    findNothing(scheduler)
    expect(scheduler.step()).toBe("pull")
    scheduler.flushIfIdle()
    expect(scheduler.step()).toBe("wait")
  })

  it("a batch that is not full stays open while texts are looked up that may fill it", () => {
    const scheduler = pulled(["a"], { hasStore })
    findNothing(scheduler)
    expect(scheduler.step()).toBe("pull")
    scheduler.pulled(["b"])
    scheduler.sourceEnded()
    const lookUp = lookUpOf(scheduler)
    expect(scheduler.step()).toBe("wait")
    scheduler.found(lookUp, [undefined])
    expect(batchOf(scheduler).texts).toEqual(["a", "b"])
  })

  it("a fatal failure fails texts that nobody has looked up yet, and those that are denied", () => {
    const scheduler = whole(["a", "b", "c", "d"], { hasStore })
    findNothing(scheduler)
    claimAllBut(scheduler, "a", "b", "c")
    scheduler.stop(unauthorized)
    scheduler.recorded(recordOf(scheduler))
    expect(scheduler.step()).toBe("done")
    expect(causes(scheduler.take())).toEqual(Array(4).fill("Unauthorized"))
  })

  it("a fatal failure fails texts that are unknown or denied afterwards", () => {
    const scheduler = pulled(["a", "b", "c", "d", "e"], { hasStore })
    findNothing(scheduler)
    const batch = batchOf(scheduler)
    scheduler.step()
    scheduler.pulled(["f", "g"])
    const lookUp = lookUpOf(scheduler)
    scheduler.stop(unauthorized)
    expect(scheduler.claimed(batch, () => false)).toBeUndefined()
    scheduler.recorded(recordOf(scheduler))
    scheduler.found(lookUp, [undefined, { text: "G" }])
    scheduler.recorded(recordOf(scheduler))
    expect(scheduler.step()).toBe("done")
    expect(causes(scheduler.take())).toEqual([...Array(6).fill("Unauthorized"), "Cached"])
  })

  it("texts that could not be recorded leave as failed, at their cost, and the stream ends", () => {
    const scheduler = whole(["a", "a", "b"], { hasStore })
    findNothing(scheduler)
    answer(scheduler, batchOf(scheduler))
    scheduler.notRecorded(recordOf(scheduler), unavailable)
    expect(scheduler.fatal).toBe(unavailable)
    expect(scheduler.step()).toBe("done")
    const outcomes = scheduler.take()
    expect(causes(outcomes)).toEqual(["ServerError", "ServerError", "ServerError"])
    expect(outcomes.map(({ cost }) => cost.characters)).toEqual([1, 0, 1])
    expect(values(outcomes)).toEqual(["a", "a", "b"])
  })

  it("a failed look-up fails its texts and ends the stream", () => {
    const scheduler = whole(["a", "a"], { hasStore })
    scheduler.notFound(lookUpOf(scheduler), unavailable)
    expect(scheduler.fatal).toBe(unavailable)
    scheduler.recorded(recordOf(scheduler))
    expect(scheduler.step()).toBe("done")
    expect(causes(scheduler.take())).toEqual(["ServerError", "ServerError"])
  })
})

describe("for any elements, chunks, concurrency, answers and failures", () => {
  type Texts = ReadonlyArray<string | null>

  interface Element {
    readonly id: number
    readonly texts: Texts
  }

  const bad: Check.Finding = {
    check: "asker",
    severity: "error",
    explanation: "",
    source: [],
    translation: []
  }
  const asker: Check.Check = {
    name: "asker",
    find: () => [],
    asking: { judge: () => Effect.dieMessage("The scheduler asks nobody") }
  }

  const elements = Row.elements<Element, Texts, Element>({
    texts: ({ texts }) => texts,
    replace: ({ id }, texts) => ({ id, texts })
  })

  const long = "A sentence of a long text. ".repeat(12)

  const texts = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "🌍") },
      { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
      { weight: 3, arbitrary: fc.constantFrom("", " ", null) },
      { weight: 1, arbitrary: fc.constant(long) }
    ),
    { maxLength: 3 }
  )

  const scenario = fc.record({
    elements: fc.array(texts, { maxLength: 60, size: "max" }),
    chunks: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 5 }),
    concurrency: fc.integer({ min: 1, max: 5 }),
    maxTexts: fc.integer({ min: 1, max: 6 }),
    maxBytes: fc.constantFrom(30, 90, 150, 400),
    accepted: fc.boolean(),
    hasStore: fc.boolean(),
    /** The policy of a check that asks somebody. */
    policy: fc.constantFrom("off" as const, "flag" as const, "retry" as const, "fail" as const),
    unordered: fc.boolean(),
    /** One answer in so many is this failure; the others are translations. */
    failing: fc.integer({ min: 1, max: 12 }),
    errors: fc.array(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(badRequest, payloadTooLarge, unavailable, inDoubt) },
        { weight: 1, arbitrary: fc.constant(unauthorized) }
      ),
      { minLength: 1, maxLength: 6 }
    ),
    /** Of so many texts that are claimed one is denied, and of so many claims one is lost. */
    denying: fc.integer({ min: 2, max: 10 }),
    choices: fc.infiniteStream(fc.nat(1000))
  })

  type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never

  /** What is under way, and what ends it. Polls are nobody's work, everything else is a worker's. */
  interface Work {
    readonly isPoll?: boolean
    readonly end: () => void
  }

  /** Runs all to the end: whenever there is a choice, a random one is made. */
  const run = (given: Scenario) => {
    const { concurrency, errors, failing, maxBytes, maxTexts, unordered } = given
    const scheduler = make(elements, {
      ...given,
      limits: { maxBytes, maxTexts },
      options: { concurrency, unordered, verify: { checks: [asker], policies: { asker: given.policy } } }
    })
    const source = given.elements.map((texts, id): Element => ({ id, texts }))
    const outcomes: Array<Outcome.Outcome<Element>> = []
    const underWay: Array<Work> = []
    const state = { pulled: 0, pulls: 0, answers: 0, charged: 0, inFlight: 0, maxInFlight: 0, denied: 0 }
    const choose = (count: number): number => given.choices.next().value! % count

    const pull = () => {
      const size = given.chunks.some((size) => size > 0)
        ? given.chunks[state.pulls++ % given.chunks.length]!
        : 7
      if (state.pulled === source.length) return scheduler.sourceEnded()
      scheduler.pulled(source.slice(state.pulled, state.pulled + size))
      state.pulled = Math.min(source.length, state.pulled + size)
    }

    const claim = (batch: Batch<Element>) => {
      const denied = new Set(batch.items.map(({ text }) => text).filter(() => choose(given.denying) === 0))
      state.denied += denied.size
      const left = scheduler.claimed(batch, (text) => !denied.has(text))
      if (left === undefined) state.inFlight--
      else {
        expect(left.items.filter(Matching.isDenied)).toEqual([])
        expect(left.items.filter((item) => denied.has(item.text))).toEqual([])
        underWay.push({ end: () => send(left) })
      }
    }

    const send = (batch: Batch<Element>) => {
      state.inFlight--
      if (given.hasStore && choose(given.denying * 3) === 0) {
        lose(scheduler, batch)
      } else if (++state.answers % failing === 0)
        fail(scheduler, batch, errors[state.answers % errors.length]!)
      else {
        answer(scheduler, batch)
        state.charged += charactersOf(batch.texts)
      }
    }

    const lookUp = (step: LookUp<Element>) =>
      scheduler.found(
        step,
        step.items.map((item) => (choose(2) === 0 ? undefined : { text: mark(item.text) }))
      )

    const workOf = (step: Exclude<Step<Element>, "wait" | "done">): Work => {
      if (step === "pull") return { end: pull }
      if (step._tag === "Record") return { end: () => scheduler.recorded(step) }
      if (step._tag === "Judge")
        return {
          isPoll: true,
          end: () =>
            scheduler.judged(
              step,
              step.questions.map(() => ({ findings: choose(3) === 0 ? [bad] : [], unasked: [] }))
            )
        }
      if (step._tag === "LookUp") return { isPoll: step.isPending, end: () => lookUp(step) }
      expect(scheduler.fatal).toBeUndefined()
      state.maxInFlight = Math.max(state.maxInFlight, ++state.inFlight)
      return { end: () => (given.hasStore ? claim(step) : send(step)) }
    }

    for (let isDone = false; ; ) {
      const working = underWay.filter(({ isPoll = false }) => !isPoll).length
      if (working < concurrency && (underWay.length === 0 || choose(2) === 0)) {
        const step = scheduler.step()
        isDone = step === "done"
        if (step !== "wait" && step !== "done") {
          underWay.push(workOf(step))
          continue
        }
      }
      const taken = choose(3) === 0 || underWay.length === 0 ? scheduler.take() : []
      outcomes.push(...taken)
      if (underWay.length > 0) underWay.splice(choose(underWay.length), 1)[0]!.end()
      else if (isDone) break
      else if (taken.length === 0 && scheduler.step() === "wait") expect.fail("It waits for ever")
      if (choose(3) === 0) scheduler.flushIfIdle()
    }
    return { outcomes, scheduler, source, state }
  }

  const isText = (text: string | null) => text !== null && text.trim() !== ""

  const checkOutcome = ({ _tag, source, texts, value }: Outcome.Outcome<Element>) => {
    const { cached, failed, skipped, translated } = texts
    expect(translated + cached + skipped + failed).toBe(source.texts.length)
    expect(skipped).toBe(source.texts.filter((text) => !isText(text)).length)
    expect(_tag === "Failed").toBe(failed > 0)
    const changed = value.texts.filter((text, index) => text !== source.texts[index]).length
    expect(changed).toBe(translated + cached)
  }

  it("each element that was pulled has one outcome, in order, and every text and character is accounted for", async () => {
    const seen = { flagged: 0, denied: 0, fatal: 0, ended: 0, cached: 0, failed: 0, segmented: 0 }
    await assertReaching(
      fc.property(scenario, (given) => {
        const { outcomes, scheduler, source, state } = run(given)
        expect(scheduler.isIdle).toBe(true)
        expect(state.maxInFlight).toBeLessThanOrEqual(given.concurrency)
        const ids = outcomes.map((outcome) => outcome.source.id)
        if (given.unordered) ids.sort((a, b) => a - b)
        expect(ids).toEqual(source.slice(0, state.pulled).map(({ id }) => id))
        if (scheduler.fatal === undefined) expect(state.pulled).toBe(source.length)
        for (const outcome of outcomes) checkOutcome(outcome)
        expect(outcomes.reduce((sum, { cost }) => sum + cost.characters, 0)).toBe(state.charged)
        if (scheduler.fatal === undefined) seen.ended++
        else seen.fatal++
        seen.denied += state.denied
        seen.flagged += outcomes.reduce((sum, { texts }) => sum + (texts.flagged ?? 0), 0)
        seen.cached += outcomes.reduce((sum, { texts }) => sum + texts.cached, 0)
        seen.failed += outcomes.reduce((sum, { texts }) => sum + texts.failed, 0)
        seen.segmented += values(outcomes).filter(({ texts }) =>
          texts.some((text) => text?.includes("> <"))
        ).length
      }),
      runs(3000, 50),
      () => {
        for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
      }
    )
  })
})
