/** The intake of a stream, by itself: chunks in, rows and items out. */
import { describe, expect, it } from "@effect/vitest"
import * as Row from "../../src/stream/internal/element.js"
import { Intake } from "../../src/stream/internal/intake.js"
import { Window } from "../../src/stream/internal/window.js"

const make = (isSkipped?: (text: string) => boolean) => {
  const window = new Window<string>({
    maxBytes: 1000,
    maxTexts: 1000,
    ordered: true,
    permits: { concurrency: 1, parked: 0 }
  })
  const items: Array<string> = []
  const intake = new Intake<string>({
    elements: Row.texts,
    window,
    isSkipped,
    onItem: ({ text }) => items.push(text)
  })
  return { intake, items, window }
}

describe("elements that were pulled", () => {
  it("are taken in one by one, in their order", () => {
    const { intake, items, window } = make()
    intake.pulled(["a", " b "])
    expect([intake.left, window.isEmpty]).toEqual([2, true])
    intake.takeIn()
    expect([intake.left, items]).toEqual([1, ["a"]])
    intake.takeIn()
    expect([intake.left, items]).toEqual([0, ["a", "b"]])
    expect([window.isEmpty, window.canTake]).toEqual([false, false])
  })

  it("may leave at once if they have nothing to translate", () => {
    const { intake, items, window } = make((text) => text === "{name}")
    intake.pulled([" ", "{name}"])
    intake.takeIn()
    intake.takeIn()
    expect(items).toEqual([])
    expect(window.take().map(({ source }) => source)).toEqual([" ", "{name}"])
  })
})

describe("a pull", () => {
  it("ends by elements, or by the end of the source", () => {
    const { intake } = make()
    intake.isPulling = true
    intake.pulled(["a"])
    expect([intake.isPulling, intake.isSourceEnded]).toEqual([false, false])
    intake.isPulling = true
    intake.sourceEnded()
    expect([intake.isPulling, intake.isSourceEnded]).toEqual([false, true])
  })
})
