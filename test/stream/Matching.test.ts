/** Which translation is that of which text, and in which order elements leave. No stream runs. */
import { describe, expect, it } from "@effect/vitest"
import type { Outcome } from "effect-translate"
import type { Check } from "effect-translate/checks"
import * as Row from "../../src/stream/internal/element.js"
import { LookUps } from "../../src/stream/internal/lookUps.js"
import * as Matching from "../../src/stream/internal/matching.js"
import { Window } from "../../src/stream/internal/window.js"
import { inDoubt, unavailable } from "./support.js"

type Texts = ReadonlyArray<Row.MaybeText>

const rows = Row.elements<Texts, Texts, Texts>({
  texts: (texts) => texts,
  replace: (_, texts) => texts
})

const rowOf = (...texts: Texts) => Row.make<Texts>(texts, texts, undefined)

const itemsOf = <A>(row: Row.Row<A>): ReadonlyArray<Row.Item<A>> => {
  const items: Array<Row.Item<A>> = []
  Row.forEachItem(row, (item) => items.push(item))
  return items
}

const translation = (text: string, billedCharacters?: number) => ({
  text,
  detectedSourceLanguage: "en",
  billedCharacters
})

const failureOf = (error: Outcome.StreamError): Outcome.Failure => ({ field: "f", error })

describe("the texts of an element", () => {
  it("are the texts that are not blank, without the whitespace around them", () => {
    const items = itemsOf(rowOf(null, " a ", undefined, "", "b\n", " \t", 7 as never))
    expect(items.map((item) => [item.index, item.text])).toEqual([
      [1, "a"],
      [4, "b"]
    ])
  })

  it("are none of which somebody says that there is nothing to translate", () => {
    const row = Row.make("row", ["1", "a", "2"], (text) => /\d/.test(text))
    expect(itemsOf(row).map(({ index }) => index)).toEqual([1])
    expect(row).toMatchObject({ pending: 1, skippedTexts: [0, 2] })
  })
})

describe("an element", () => {
  it("gets its translations in their places, with the whitespace around them, and keeps skipped texts", () => {
    const row = rowOf(" a ", "", "b")
    const [a, b] = itemsOf(row)
    Row.translated(b!, translation("B"))
    expect(row.pending).toBe(1)
    Row.translated(a!, translation("A"))
    expect(row.pending).toBe(0)
    expect(Row.toOutcome(row, rows)).toEqual({
      _tag: "Translated",
      source: [" a ", "", "b"],
      value: [" A ", "", "B"],
      texts: { translated: 2, cached: 0, skipped: 1, failed: 0 },
      cost: { characters: 0, ambiguousCharacters: 0 },
      translations: [translation(" A "), undefined, translation("B")]
    })
  })

  it("of texts that were known is cached; where some were not, it says which ones were", () => {
    const cached = rowOf("a", "", "b")
    for (const item of itemsOf(cached)) Row.cached(item, translation("x"))
    expect(Row.toOutcome(cached, rows)).toMatchObject({
      _tag: "Cached",
      value: ["x", "", "x"],
      texts: { translated: 0, cached: 2, skipped: 1, failed: 0 }
    })
    const mixed = rowOf("a", "b", "c")
    const [a, b, c] = itemsOf(mixed)
    Row.cached(a!, translation("x"))
    Row.translated(b!, translation("y"))
    Row.cached(c!, translation("z"))
    expect(Row.toOutcome(mixed, rows)).toMatchObject({
      _tag: "Translated",
      cachedTexts: [0, 2],
      texts: { translated: 1, cached: 2, skipped: 0, failed: 0 }
    })
  })

  it("without texts is skipped", () => {
    expect(Row.toOutcome(rowOf("", null), rows)).toEqual({
      _tag: "Skipped",
      source: ["", null],
      value: ["", null],
      texts: { translated: 0, cached: 0, skipped: 2, failed: 0 },
      cost: { characters: 0, ambiguousCharacters: 0 }
    })
  })

  it("has failed if a text has: the failures come in the order of the texts, and the rest is kept", () => {
    const row = rowOf("a", "b", "c", "d")
    const [a, b, c, d] = itemsOf(row)
    Row.failed(d!, failureOf(inDoubt))
    Row.translated(a!, translation("A"))
    Row.failed(b!, failureOf(unavailable))
    Row.cached(c!, translation("C"))
    expect(row.pending).toBe(0)
    expect(Row.toOutcome(row, rows)).toEqual({
      _tag: "Failed",
      source: ["a", "b", "c", "d"],
      value: ["A", "b", "C", "d"],
      texts: { translated: 1, cached: 1, skipped: 0, failed: 2 },
      cost: { characters: 0, ambiguousCharacters: 0 },
      translations: [translation("A"), undefined, translation("C"), undefined],
      failures: [failureOf(unavailable), failureOf(inDoubt)],
      cachedTexts: [2]
    })
  })

  it("of which every text has failed has a place for each translation all the same", () => {
    const row = rowOf("a", "")
    Row.failed(itemsOf(row)[0]!, failureOf(unavailable))
    const outcome = Row.toOutcome(row, rows)
    expect(outcome).toMatchObject({ _tag: "Failed", texts: { skipped: 1, failed: 1 } })
    expect(outcome).toHaveProperty("translations", [undefined, undefined])
    expect(outcome).not.toHaveProperty("cachedTexts")
  })

  it("flags the translation, with the place in the text with its whitespace", () => {
    const finding: Check.Finding = {
      check: "numbers",
      severity: "warning",
      explanation: "a number is missing",
      source: [{ start: 0, end: 1 }],
      translation: [{ start: 2, end: 4 }]
    }
    const row = rowOf("one", "  two ")
    const [one, two] = itemsOf(row)
    Row.translated(one!, translation("1"))
    Row.translated(two!, translation("2"), { findings: [finding] })
    expect(Row.toOutcome(row, rows)).toMatchObject({
      _tag: "Translated",
      texts: { translated: 2, flagged: 1 },
      flagged: [
        {
          field: 1,
          findings: [{ source: [{ start: 2, end: 3 }], translation: [{ start: 4, end: 6 }] }]
        }
      ]
    })
    const plain = rowOf("two")
    Row.translated(itemsOf(plain)[0]!, translation("2"), { findings: [finding] })
    expect(Row.toOutcome(plain, rows)).toMatchObject({ flagged: [{ field: 0, findings: [finding] }] })
  })
})

describe("a text that is sent in parts", () => {
  const join = (translations: ReadonlyArray<string>) => ({ text: translations.join("+"), lost: undefined })

  const split = (item: Row.Item<Texts>, ...texts: ReadonlyArray<string>) => Row.split(item, { texts, join })

  const whole = () => itemsOf(rowOf("abc"))[0]!

  it("has its translation once the last part has come, in the order of its parts, and costs all of them", () => {
    const item = whole()
    const [a, b, c] = split(item, "a", "b", "c")
    expect(Matching.translated(c!, translation("C", 3))).toBeUndefined()
    expect(Matching.translated(a!, translation("A", 1))).toBeUndefined()
    const settled = Matching.translated(b!, translation("B"))
    expect(settled).toMatchObject({ item, translation: translation("A+B+C", 4), error: undefined })
  })

  it("fails with the first error, once the last part has ended", () => {
    const item = whole()
    const [a, b, c] = split(item, "a", "b", "c")
    expect(Matching.failed(a!, unavailable)).toBeUndefined()
    expect(Matching.failed(b!, inDoubt)).toBeUndefined()
    expect(Matching.translated(c!, translation("C"))).toEqual({
      item,
      translation: undefined,
      error: unavailable
    })
  })

  it("may be cut again: a part has its translation once its own parts have", () => {
    const item = whole()
    const [ab, c] = split(item, "ab", "c")
    const [a, b] = split(ab!, "a", "b")
    expect(Matching.translated(c!, translation("C"))).toBeUndefined()
    expect(Matching.translated(b!, translation("B"))).toBeUndefined()
    expect(Matching.translated(a!, translation("A"))).toMatchObject({ item, translation: { text: "A+B+C" } })
  })

  it("is denied whole if a part is, whatever has failed before, and however it is cut", () => {
    const item = whole()
    const [ab, c] = split(item, "ab", "c")
    const [a, b] = split(ab!, "a", "b")
    expect(Matching.isDenied(c!)).toBe(false)
    expect(Matching.failed(a!, unavailable)).toBeUndefined()
    expect(Matching.denied(b!)).toBeUndefined()
    expect([a!, c!].map(Matching.isDenied)).toEqual([true, true])
    expect(Matching.isDenied(item)).toBe(false)
    expect(Matching.translated(c!, translation("C"))).toEqual({
      item,
      translation: undefined,
      error: "denied"
    })
  })
})

describe("equal texts", () => {
  it("are looked up once; the others wait for the first", () => {
    const lookUps = new LookUps<Texts>()
    const [a, b, again] = itemsOf(rowOf("a", "b", " a")) as [
      Row.Item<Texts>,
      Row.Item<Texts>,
      Row.Item<Texts>
    ]
    for (const item of [a, b, again]) lookUps.add(item)
    expect(lookUps.next()).toEqual({ _tag: "LookUp", items: [a, b], isPending: false })
    expect(lookUps.takeEqual(a)).toEqual([again])
    expect(lookUps.takeEqual(a)).toEqual([])
    lookUps.add(again)
    expect(lookUps.drain()).toEqual([again])
  })

  it("are asked about in one step at a time, and those of others meanwhile", () => {
    const lookUps = new LookUps<Texts>()
    const [a, b, c] = itemsOf(rowOf("a", "b", "c")) as [Row.Item<Texts>, Row.Item<Texts>, Row.Item<Texts>]
    expect(lookUps.next()).toBeUndefined()
    lookUps.add(a)
    expect([lookUps.isBusy, lookUps.isIdle]).toEqual([true, true])
    const first = lookUps.next()!
    expect([lookUps.isBusy, lookUps.isPolling, lookUps.isIdle]).toEqual([true, false, false])
    lookUps.addPending(c)
    expect(lookUps.next()).toEqual({ _tag: "LookUp", items: [c], isPending: true })
    lookUps.add(b)
    expect(lookUps.next()).toBeUndefined()
    expect(lookUps.isPolling).toBe(true)
    expect(lookUps.end(first)).toBe(true)
    expect(lookUps.end(first)).toBe(false)
    expect(lookUps.next()).toEqual({ _tag: "LookUp", items: [b], isPending: false })
  })

  it("that wait are given back when the stream ends", () => {
    const lookUps = new LookUps<Texts>()
    const [a, b] = itemsOf(rowOf("a", "b")) as [Row.Item<Texts>, Row.Item<Texts>]
    lookUps.addPending(b)
    lookUps.add(a)
    expect(lookUps.drain()).toEqual([a, b])
    expect([lookUps.isBusy, lookUps.next()]).toEqual([false, undefined])
  })
})

describe("the window", () => {
  const windowOf = (
    ordered: boolean,
    limits: { readonly maxTexts?: number; readonly maxBytes?: number } = {}
  ) =>
    new Window<Texts>({
      permits: { concurrency: 1, parked: 0 },
      ordered,
      maxTexts: 1000,
      maxBytes: 1000,
      ...limits
    })

  const completed = (window: Window<Texts>, ...completed: ReadonlyArray<Row.Row<Texts>>) => {
    for (const row of completed) {
      row.pending = 0
      window.complete(row)
    }
  }

  it("lets elements leave in their order, up to the first that is not complete", () => {
    const window = windowOf(true)
    const [a, b, c] = [rowOf("a"), rowOf("b"), rowOf("c")]
    for (const row of [a, b, c]) window.add(row)
    completed(window, c)
    expect([window.canTake, window.take()]).toEqual([false, []])
    completed(window, a)
    expect([window.canTake, window.take()]).toEqual([true, [a]])
    completed(window, b)
    expect(window.take()).toEqual([b, c])
    expect([window.canTake, window.isEmpty]).toEqual([false, true])
  })

  it("lets each leave once, as soon as it is complete, if the order does not matter", () => {
    const window = windowOf(false)
    const [a, b] = [rowOf("a"), rowOf("b")]
    window.add(a)
    window.add(b)
    expect(window.canTake).toBe(false)
    completed(window, b, b)
    expect([window.canTake, window.take()]).toEqual([true, [b]])
    expect([window.isEmpty, window.canTake, window.take()]).toEqual([false, false, []])
    window.complete(a)
    expect(window.canTake).toBe(false)
  })

  for (const [what, limits, row] of [
    ["texts", { maxTexts: 2 }, () => rowOf("a", "b", null)],
    ["characters", { maxBytes: 10 }, () => rowOf("12345", 7 as never, "67890")],
    ["elements", {}, () => rowOf("")]
  ] as const) {
    it(`takes in twice the batches in flight and two, counted in ${what}, and more once some have left`, () => {
      const window = windowOf(false, limits)
      const most = what === "elements" ? 4000 : 4
      const all = Array.from({ length: most }, row)
      for (const each of all) {
        expect(window.hasRoom).toBe(true)
        window.add(each)
      }
      expect(window.hasRoom).toBe(false)
      completed(window, all[0]!)
      window.take()
      expect(window.hasRoom).toBe(true)
      window.add(row())
      expect(window.hasRoom).toBe(false)
    })
  }
})
