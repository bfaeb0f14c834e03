/** What goes into requests of few bytes, by the class that packs them. No stream runs. */
import { describe, expect, it } from "@effect/vitest"
import * as Row from "../../src/stream/internal/element.js"
import * as Matching from "../../src/stream/internal/matching.js"
import type { Options } from "../../src/stream/internal/options.js"
import { type Batch, Packing } from "../../src/stream/internal/packing.js"
import { badRequest, inDoubt, numbered, payloadTooLarge } from "./support.js"

/** The bytes of a body. */
const bytesOf = (texts: ReadonlyArray<string>, context: string | undefined) =>
  Buffer.byteLength(JSON.stringify({ text: texts, target_lang: "de", context }))

interface Given extends Options {
  readonly bodyBytes?: number
}

const make = ({ bodyBytes = 300, ...options }: Given = {}) => {
  const oversized: Array<number> = []
  let learnedBytes = Number.POSITIVE_INFINITY
  const packing = new Packing<string>(
    { overheadBytes: bytesOf([], options.context), maxBytes: bodyBytes, maxTexts: 50 },
    options,
    {
      isAccepted: () => true,
      maxBytes: () => learnedBytes,
      accept: () => {},
      refuse: (bytes) => {
        learnedBytes = bytes - 1
      },
      doubtBill: () => true
    },
    (_, bytes) => oversized.push(bytes),
    () => {}
  )
  return { oversized, packing }
}

/** Packs a text that is sent once more in a request of its own. */
const addAlone = (
  packing: Packing<string>,
  item: Row.Item<string>,
  neighbours: ReadonlyArray<string>
): void =>
  packing.addAgain([
    {
      ...item,
      again: { answer: { translation: { text: "" }, findings: [] }, asked: 1, isAlone: true, neighbours }
    }
  ])

const itemsOf = (...texts: ReadonlyArray<string>): ReadonlyArray<Row.Item<string>> => {
  const items: Array<Row.Item<string>> = []
  Row.forEachItem(Row.make("a row", texts, undefined), (item) => items.push(item))
  return items
}

const [one] = itemsOf("one") as [Row.Item<string>]

/** The batches that are full, or closed. */
const batchesOf = (packing: Packing<string>): ReadonlyArray<Batch<string>> => {
  const batches: Array<Batch<string>> = []
  for (let next = packing.next(); next !== undefined; next = packing.next()) batches.push(next)
  return batches
}

const packed = (packing: Packing<string>, ...texts: ReadonlyArray<string>) => {
  for (const item of itemsOf(...texts)) packing.add(item)
  packing.flush()
  return batchesOf(packing)
}

/** The one text that comes of the answers to its parts. */
const joined = (batches: ReadonlyArray<Batch<string>>): string | undefined => {
  const settled = batches.flatMap(({ items, texts }) =>
    items.map((item, index) => Matching.translated(item, { text: texts[index]! }))
  )
  const whole = settled.filter((result) => result !== undefined)
  expect(whole).toHaveLength(1)
  return whole[0]!.translation?.text
}

const isExact = (batches: ReadonlyArray<Batch<string>>, context: string | undefined, most = 300) => {
  for (const batch of batches) {
    expect(batch._tag).toBe("Batch")
    expect(batch.bytes).toBe(bytesOf(batch.texts, batch.context ?? context))
    expect(batch.bytes).toBeLessThanOrEqual(most)
  }
}

const sentences = Array.from({ length: 30 }, (_, index) => `Sentence number ${index}.`).join(" ")

/** Room for a text of so many bytes of JSON. */
const roomFor = (bytes: number) => ({ bodyBytes: bytesOf([], undefined) + bytes })

describe("a text that fits into no request", () => {
  for (const context of [undefined, "A list."]) {
    it(`is cut into requests that are full, counted to the byte (context: ${context})`, () => {
      const { oversized, packing } = make({ context })
      const batches = packed(packing, sentences)
      expect(batches.length).toBe(3)
      expect(batches.every((batch) => batch.context === undefined)).toBe(true)
      isExact(batches, context)
      expect(joined(batches)).toBe(sentences)
      expect(oversized).toEqual([])
    })

    it(`is cut into requests with their neighbours as context, counted to the byte (context: ${context})`, () => {
      const { packing } = make({ context, segmentContext: 10 })
      const batches = packed(packing, sentences)
      expect(batches.length).toBeGreaterThan(3)
      for (const batch of batches) {
        expect(batch.texts).toHaveLength(1)
        expect(batch.context).toMatch(context === undefined ? /^[\s\S]{1,10}$/ : /^A list\.\n[\s\S]{1,10}$/)
      }
      isExact(batches, context)
      expect(joined(batches)).toBe(sentences)
    })
  }

  it("is cut if its parts may have 64 bytes, and fails if they may have fewer", () => {
    const cut = make(roomFor(64))
    expect(packed(cut.packing, "a".repeat(100)).flatMap(({ texts }) => texts)).toEqual([
      "a".repeat(62),
      "a".repeat(38)
    ])
    expect(cut.oversized).toEqual([])
    const failed = make(roomFor(63))
    expect(packed(failed.packing, "a".repeat(100))).toEqual([])
    expect(failed.oversized).toEqual([bytesOf(["a".repeat(100)], undefined)])
  })

  it("fails if texts are not to be cut", () => {
    const { oversized, packing } = make({ oversized: "fail" })
    expect(packed(packing, sentences, "one").flatMap(({ texts }) => texts)).toEqual(["one"])
    expect(oversized).toEqual([bytesOf([sentences], undefined)])
  })

  it("is cut between placeholders that are kept, and comes back with them", () => {
    const text = "{first.name}{last.name}".repeat(20)
    const { packing } = make({ placeholders: {} })
    const batches = packed(packing, text)
    expect(batches.length).toBeGreaterThan(3)
    for (const { texts } of batches) expect(texts[0]).toMatch(/^(<x id="\d+">{(first|last)\.name}<\/x>)+$/)
    expect(joined(batches)).toBe(text)
  })
})

describe("a request of one text that is refused as too large", () => {
  it("is sent in two halves at least", () => {
    const { packing } = make()
    const [batch] = packed(packing, sentences.slice(0, 200))
    expect(packing.resend(batch!, payloadTooLarge, 0)).toBe(true)
    packing.flush()
    const parts = batchesOf(packing)
    expect(parts.length).toBeGreaterThanOrEqual(2)
    isExact(parts, undefined, batch!.bytes - 1)
    expect(joined(parts)).toBe(sentences.slice(0, 200))
  })

  it("shares its last request with the texts that come", () => {
    const { packing } = make()
    const [batch] = packed(packing, sentences.slice(0, 200))
    packing.resend(batch!, payloadTooLarge, 0)
    packing.add(one)
    packing.flush()
    expect(batchesOf(packing).at(-1)!.texts).toEqual([expect.stringContaining("Sentence"), "one"])
  })

  it("stays within the bytes that the options allow, in its parts", () => {
    const { packing } = make({ bodyBytes: 600, maxBytes: 150 })
    addAlone(packing, itemsOf(sentences.slice(0, 300))[0]!, ["before"])
    const [batch] = batchesOf(packing)
    packing.resend(batch!, payloadTooLarge, 0)
    const parts = batchesOf(packing)
    expect(parts.length).toBeGreaterThanOrEqual(3)
    for (const { bytes, texts } of parts) expect(texts.length === 1 || bytes <= 150).toBe(true)
  })

  it("keeps its context where it has one of its own", () => {
    const { packing } = make({ bodyBytes: 600 })
    addAlone(packing, itemsOf(sentences.slice(0, 300))[0]!, ["before", "after"])
    const [batch] = batchesOf(packing)
    expect(packing.resend(batch!, payloadTooLarge, 0)).toBe(true)
    const parts = batchesOf(packing)
    expect(parts.flatMap(({ texts }) => texts)).toHaveLength(3)
    expect(parts.map(({ context }) => context)).toEqual(parts.map(() => "before\nafter"))
    isExact(parts, undefined, batch!.bytes - 1)
    expect(joined(parts)).toBe(sentences.slice(0, 300))
  })

  it("has its neighbours as context once it is cut again, where these are asked for", () => {
    const { packing } = make({ segmentContext: 10, bodyBytes: 500 })
    const [first, ...others] = packed(packing, sentences)
    expect(packing.resend(first!, payloadTooLarge, 0)).toBe(true)
    const parts = batchesOf(packing)
    expect(parts.length).toBeGreaterThanOrEqual(2)
    for (const { context, texts } of parts) {
      expect(texts).toHaveLength(1)
      expect(context).toMatch(/^[\s\S]{1,10}$/)
    }
    isExact(parts, undefined, first!.bytes - 1)
    expect(joined([...parts, ...others])).toBe(sentences)
  })

  it("leaves room for a context in its parts, however many bytes its characters take", () => {
    const { packing } = make({ segmentContext: 10, bodyBytes: 500 })
    const [first] = packed(packing, "x".repeat(1000))
    packing.resend(first!, payloadTooLarge, 0)
    const half = Math.floor((first!.bytes - bytesOf([], undefined)) / 2)
    expect(batchesOf(packing)[0]!.texts[0]).toBe(
      "x".repeat(half - bytesOf([""], "\u0001".repeat(10)) + bytesOf([], undefined))
    )
  })

  it("fails if its parts would be smaller than 64 bytes", () => {
    const { packing } = make()
    const [batch] = packed(packing, "a".repeat(100))
    expect(packing.resend(batch!, payloadTooLarge, 0)).toBe(false)
    expect(batchesOf(packing)).toEqual([])
  })
})

describe("a refused request of several texts", () => {
  it("is sent in halves, before all others", () => {
    const { packing } = make()
    const [batch] = packed(packing, "a", "b", "c")
    packing.add(one)
    packing.flush()
    expect(packing.resend(batch!, badRequest, 0)).toBe(true)
    expect(batchesOf(packing).map(({ texts }) => texts)).toEqual([["a", "b"], ["c"], ["one"]])
  })

  it("is no last one of a budget any more in its parts: nobody waits for both of them", () => {
    const { packing } = make()
    const [batch] = packed(packing, "a", "b")
    packing.resend({ ...batch!, isLastOfBudget: true }, badRequest, 0)
    expect(batchesOf(packing).map(({ isLastOfBudget }) => isLastOfBudget)).toEqual([false, false])
  })
})

describe("a request that the service fails with", () => {
  it("is sent in parts, after all others, and then text by text; these know how many were answered before", () => {
    const { packing } = make()
    const [batch] = packed(packing, ...numbered(16))
    packing.add(one)
    packing.flush()
    expect(packing.resend(batch!, inDoubt, 7)).toBe(true)
    const [others, ...parts] = batchesOf(packing)
    expect(others!.texts).toEqual(["one"])
    expect(parts.map(({ suspectedAt, texts }) => [suspectedAt, ...texts])).toEqual([
      [7, "t0", "t1", "t2", "t3"],
      [7, "t4", "t5", "t6", "t7"],
      [7, "t8", "t9", "t10", "t11"],
      [7, "t12", "t13", "t14", "t15"]
    ])
    expect(packing.resend(parts[0]!, inDoubt, 9)).toBe(true)
    expect(batchesOf(packing).map(({ suspectedAt, texts }) => [suspectedAt, ...texts])).toEqual([
      [7, "t0"],
      [7, "t1"],
      [7, "t2"],
      [7, "t3"]
    ])
  })

  it("is sent text by text if there are two, and not at all if there is one", () => {
    const { packing } = make()
    const [two] = packed(packing, "a", "b")
    expect(packing.resend(two!, inDoubt, 0)).toBe(true)
    const [single, other] = batchesOf(packing)
    expect([single!.texts, other!.texts]).toEqual([["a"], ["b"]])
    expect(packing.resend(single!, inDoubt, 0)).toBe(false)
    expect(batchesOf(packing)).toEqual([])
  })
})

describe("a text that is sent once more", () => {
  const alone = (neighbours: ReadonlyArray<string>, given: Given = {}) => {
    const { packing } = make(given)
    addAlone(packing, one, neighbours)
    const batches = batchesOf(packing)
    expect(batches).toHaveLength(1)
    isExact(batches, given.context)
    return batches[0]!
  }

  it("is alone in its request, with its neighbours as context", () => {
    expect(alone(["before", "after"])).toMatchObject({ texts: ["one"], context: "before\nafter" })
  })

  it("has the context of all texts before them", () => {
    expect(alone(["after"], { context: "A list." }).context).toBe("A list.\nafter")
  })

  it("has no context of its own without neighbours", () => {
    expect(alone([]).context).toBeUndefined()
  })

  it("has none if they would leave less than half of a request to it", () => {
    const neighbours = ["n".repeat(20)]
    const half = 2 * bytesOf([], neighbours[0])
    expect(alone(neighbours, { bodyBytes: half }).context).toBeUndefined()
    expect(alone(neighbours, { bodyBytes: half + 1 }).context).toBe(neighbours[0])
  })
})

describe("batches that return", () => {
  it("are sent before all others, in their order", () => {
    const { packing } = make()
    const returned = [...packed(packing, "a"), ...packed(packing, "b")]
    packing.add(one)
    packing.flush()
    packing.prepend(returned)
    expect(batchesOf(packing).flatMap(({ texts }) => texts)).toEqual(["a", "b", "one"])
  })
})
