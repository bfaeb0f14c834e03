/** The treatment of batches that a budget does not hold. No stream runs. */
import { describe, expect, it } from "@effect/vitest"
import { Budget } from "effect-translate"
import { jsonBytes } from "../../src/internal/utf8.js"
import * as Row from "../../src/stream/internal/element.js"
import * as OverBudget from "../../src/stream/internal/overBudget.js"
import type { Batch } from "../../src/stream/internal/packing.js"

const batchOf = (items: ReadonlyArray<Row.Item<string>>): Batch<string> => {
  const texts = items.map(Row.ownTextOf)
  return {
    _tag: "Batch",
    items,
    texts,
    bytes: texts.reduce((bytes, text) => bytes + jsonBytes(text) + 1, 9),
    context: undefined
  }
}

const itemsOf = (...texts: ReadonlyArray<string>): ReadonlyArray<Row.Item<string>> => {
  const items: Array<Row.Item<string>> = []
  Row.forEachItem(Row.make("a row", texts, undefined), (item) => items.push(item))
  return items
}

const batch = (...texts: ReadonlyArray<string>) => batchOf(itemsOf(...texts))

/** The parts of a text, as they are sent. */
const partsOf = (...texts: ReadonlyArray<string>) =>
  Row.split(itemsOf(texts.join(""))[0]!, {
    texts,
    join: (translations) => ({ text: translations.join(""), lost: undefined })
  })

/** A budget with so many characters left. */
const left = (characters: number, used = 100) =>
  new Budget.BudgetExceeded({ cap: used + characters, used, needed: 0 })

const textsOf = (batches: ReadonlyArray<Batch<string>> | undefined) => batches?.map(({ texts }) => texts)

describe("a batch that a budget does not hold", () => {
  it("is sent as far as it fits, to the last character", () => {
    const over = new OverBudget.OverBudget<string>()
    const sent = over.add(batch("aaaa", "bbb", "cc"), left(6))
    expect(textsOf(sent)).toEqual([["aaaa", "cc"]])
    expect(sent![0]).toMatchObject({ isLastOfBudget: true, bytes: batch("aaaa", "cc").bytes })
    expect(textsOf(over.ended(sent![0]!))).toEqual([["bbb"]])
  })

  it("is sent in parts also if the budget says that all of it fits: others use it too", () => {
    const over = new OverBudget.OverBudget<string>()
    expect(textsOf(over.add(batch("a", "b"), left(100)))).toEqual([["a"]])
    expect(textsOf(over.drain())).toEqual([["b"]])
    expect(new OverBudget.OverBudget<string>().add(batch("a"), left(100))).toBeUndefined()
  })

  it("is not sent if nothing of it fits, and tells the size of its smallest text", () => {
    const over = new OverBudget.OverBudget<string>()
    expect(over.add(batch("aaaa", "bbb"), left(2))).toBeUndefined()
    expect(over.drain()).toEqual([])
    expect(OverBudget.lastError(batch("aaaa", "bbb"), left(2))).toMatchObject({
      cap: 102,
      used: 100,
      needed: 3
    })
  })

  it("waits while another one is on its way, until that has ended; then the next is asked about", () => {
    const over = new OverBudget.OverBudget<string>()
    const [first] = over.add(batch("a", "bbbbb"), left(1))!
    expect(over.add(batch("c"), left(1))).toEqual([])
    expect(over.ended(batch("other"))).toEqual([])
    expect(textsOf(over.ended(first!))).toEqual([["bbbbb"], ["c"]])
    expect(textsOf(over.add(batch("d", "e"), left(1)))).toEqual([["d"]])
  })
})

describe("a text that is sent in parts", () => {
  it("is sent whole or not at all", () => {
    const items = [...partsOf("aa", "bb"), ...itemsOf("ccc")]
    expect(textsOf(new OverBudget.OverBudget<string>().add(batchOf(items), left(3)))).toEqual([["ccc"]])
    expect(textsOf(new OverBudget.OverBudget<string>().add(batchOf(items), left(4)))).toEqual([["aa", "bb"]])
  })

  it("is not sent for the rest of a budget if a part of it is in another request", () => {
    const [, second] = partsOf("aa", "bb")
    const over = new OverBudget.OverBudget<string>()
    expect(textsOf(over.add(batchOf([second!, ...itemsOf("c", "dddd")]), left(4)))).toEqual([["c"]])
    expect(new OverBudget.OverBudget<string>().add(batchOf([second!]), left(4))).toBeUndefined()
    expect(OverBudget.lastError(batchOf([second!]), left(1)).needed).toBe(2)
  })

  it("is not sent for the rest of a budget if it is itself a part of another", () => {
    const [first] = partsOf("aabb", "cc")
    const inner = Row.split(first!, {
      texts: ["aa", "bb"],
      join: (translations) => ({ text: translations.join(""), lost: undefined })
    })
    const over = new OverBudget.OverBudget<string>()
    expect(textsOf(over.add(batchOf([...inner, ...itemsOf("d", "eeee")]), left(4)))).toEqual([["d"]])
  })
})
