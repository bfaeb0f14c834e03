/** The settling of texts, by itself: results in, complete rows out. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import { RetryPolicy } from "effect-translate"
import { FailedBefore } from "../../src/stream/FailedBefore.js"
import * as Row from "../../src/stream/internal/element.js"
import { LookUps } from "../../src/stream/internal/lookUps.js"
import { Settling } from "../../src/stream/internal/settling.js"
import { Verifier } from "../../src/stream/internal/verifier.js"
import type { StreamError } from "../../src/stream/Outcome.js"
import { inDoubt, unauthorized, unavailable } from "./support.js"

const itemOf = (text: string): Row.Item<string> => {
  const items: Array<Row.Item<string>> = []
  Row.forEachItem(Row.make(text, [text], undefined), (item) => items.push(item))
  return items[0]!
}

const make = (lookUps?: LookUps<string>) => {
  const stream: { fatal: StreamError | undefined } = { fatal: undefined }
  const completed: Array<string> = []
  const packed: Array<string> = []
  const settling = new Settling<string, string>({
    stream,
    elements: Row.texts,
    limits: { maxBytes: 1000, maxTexts: 10, overheadBytes: 0 },
    lookUps,
    packing: {
      add: ({ text }) => packed.push(text),
      addAgain: (items) => packed.push(...items.map(({ text }) => text))
    },
    takesContext: true,
    verifier: new Verifier({}, RetryPolicy.make()),
    window: {
      complete: (row) => {
        const { _tag, value } = Row.toOutcome(row, Row.texts)
        completed.push(`${_tag} ${value}`)
      }
    }
  })
  return { completed, packed, settling, stream }
}

/** Look-ups in which these texts are under way, with those that are equal. */
const lookUpsOf = (...items: ReadonlyArray<Row.Item<string>>): LookUps<string> => {
  const lookUps = new LookUps<string>()
  for (const item of items) lookUps.add(item)
  lookUps.end(lookUps.next()!)
  return lookUps
}

describe("a result", () => {
  it("completes its row at once, if there is no store", () => {
    const { completed, settling } = make()
    settling.translated([itemOf("a")], [{ text: "A" }])
    settling.failed([itemOf("b")], unavailable)
    expect(completed).toEqual(["Translated A", "Failed b"])
    expect(settling.unrecorded).toEqual([])
  })

  it("waits for its record, and then settles equal texts too", () => {
    const [a, equal] = [itemOf("a"), itemOf("a")]
    const { completed, settling } = make(lookUpsOf(a, equal))
    settling.translated([a], [{ text: "A" }])
    expect(completed).toEqual([])
    settling.recorded(settling.unrecorded.splice(0))
    expect(completed).toEqual(["Translated A", "Cached A"])
  })

  it("that is not recorded leaves as failed: by its own error, else by that of the store", () => {
    const { completed, settling } = make(new LookUps())
    const [a, b] = [itemOf("a"), itemOf("b")]
    settling.translated([a], [{ text: "A" }])
    settling.failed([b], inDoubt)
    settling.notRecorded(settling.unrecorded.splice(0), unavailable)
    expect(completed).toEqual(["Failed a", "Failed b"])
    expect([a, b].map(({ row }) => row.failures[0]?.error)).toEqual([unavailable, inDoubt])
  })
})

describe("a text that was looked up", () => {
  const failedBefore = new FailedBefore({ failures: 1, at: DateTime.unsafeMake(0) })

  it("is cached with its equal texts if it is known, and packed if it is not", () => {
    const [a, equal, b] = [itemOf("a"), itemOf("a"), itemOf("b")]
    const { completed, packed, settling } = make(lookUpsOf(a, equal, b))
    settling.found([a, b], [{ text: "A" }, undefined])
    expect(completed).toEqual(["Cached A", "Cached A"])
    expect(packed).toEqual(["b"])
  })

  it("fails if the service has failed with it before, or if the stream ends", () => {
    const { packed, settling, stream } = make(new LookUps())
    settling.found([itemOf("a")], [failedBefore])
    stream.fatal = unauthorized
    settling.found([itemOf("b")], [undefined])
    expect(settling.unrecorded.map(({ error }) => error)).toEqual([failedBefore, unauthorized])
    expect(packed).toEqual([])
  })
})

describe("a text that is denied", () => {
  it("is looked up again, unless the stream ends", () => {
    const lookUps = new LookUps<string>()
    const { settling, stream } = make(lookUps)
    const a = itemOf("a")
    settling.denied([a])
    expect(lookUps.next()).toEqual({ _tag: "LookUp", items: [a], isPending: true })
    stream.fatal = unauthorized
    settling.denied([itemOf("b")])
    expect(settling.unrecorded.map(({ error }) => error)).toEqual([unauthorized])
  })
})
