/** The alignment of two lists of texts. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { alike, between, type Pair, rising } from "../../src/job/internal/alignment.js"

describe("rising pairs", () => {
  it("are the longest run that rises in both lists", () => {
    expect(
      rising([
        [0, 3],
        [1, 0],
        [2, 1],
        [3, 4],
        [4, 2]
      ])
    ).toEqual([
      [1, 0],
      [2, 1],
      [4, 2]
    ])
    expect(rising([])).toEqual([])
  })

  it("are as many as an exhaustive search finds", () => {
    const longest = (pairs: ReadonlyArray<Pair>, last = -1): number =>
      pairs.reduce(
        (most, [, second], index) =>
          second > last ? Math.max(most, 1 + longest(pairs.slice(index + 1), second)) : most,
        0
      )
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7]), (seconds) => {
        const pairs = seconds.map((second, first): Pair => [first, second])
        const run = rising([...pairs].reverse())
        expect(run.length).toBe(longest(pairs))
        for (const [index, [first, second]] of run.entries()) {
          expect(pairs[first]).toEqual([first, second])
          if (index > 0) expect(second).toBeGreaterThan(run[index - 1]![1])
        }
      })
    )
  })
})

describe("places between pairs", () => {
  const anchors: ReadonlyArray<Pair> = [
    [2, 3],
    [5, 5]
  ]

  it("are paired in their order where both lists have as many", () => {
    expect(between(anchors, [0, 1, 3, 6], [0, 1, 4, 7])).toEqual([
      [0, 0],
      [1, 1],
      [3, 4],
      [6, 7]
    ])
  })

  it("are left where one list has more", () => {
    expect(between(anchors, [0, 3, 6], [0, 1, 4])).toEqual([[3, 4]])
  })

  it("are looked for between pairs that rise: one that was moved does not count", () => {
    expect(
      between(
        [
          [0, 0],
          [1, 9],
          [3, 2]
        ],
        [2],
        [1]
      )
    ).toEqual([[2, 1]])
  })
})

describe("alike texts", () => {
  it("are paired, the likest first", () => {
    const first = [
      [0, "The cat sleeps on the sofa"],
      [4, "Prices are subject to change"]
    ] as const
    const second = [
      [1, "Prices may be subject to change"],
      [2, "The cat sleeps on a sofa"],
      [3, "The cat sleeps on the old sofa"]
    ] as const
    expect(new Map(alike(first, second))).toEqual(
      new Map([
        [0, 3],
        [4, 1]
      ])
    )
  })

  it("are none if less than a half of them is the same", () => {
    expect(alike([[0, "Good morning"]], [[0, "Delete the account"]])).toEqual([])
  })

  it("are told apart by any script, and an empty text is like none but another", () => {
    expect(alike([[0, "猫はソファで寝ています"]], [[7, "猫はソファで寝ていた"]])).toEqual([[0, 7]])
    expect(alike([[0, ""]], [[0, "Home"]])).toEqual([])
  })

  it("are not looked for among so many texts that it would take long", () => {
    const many = Array.from({ length: 501 }, (_, index) => [index, "same"] as const)
    expect(alike(many, many)).toEqual([])
  })
})
