/** Several targets over a corpus of a million rows: read once, in memory that does not grow. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Targets, TranslateStream } from "effect-translate"
import { runs } from "../support/long.js"
import { answerOf, counted, provide } from "./support.js"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const rows = runs(1_000_000, 200_000)
/** Outcomes between two looks at the heap. */
const between = rows / 2
const targets = ["de", "fr", "ja"]

describe(`${rows} rows into three languages`, () => {
  it.live("are read once, in flat memory", () =>
    Effect.gen(function* () {
      const source = counted(rows, (index) => ({ id: index, title: `The title of row ${index}` }), 1000)
      const heap: Array<number> = []
      let outcomes = 0
      const sums = yield* Targets.translate(source.stream, targets, (targetLang) =>
        TranslateStream.translateField("title", { targetLang })
      ).pipe(
        Stream.mapChunks((chunk) => {
          const before = Math.floor(outcomes / between)
          outcomes += chunk.length
          if (Math.floor(outcomes / between) > before) {
            collectGarbage()
            heap.push(process.memoryUsage().heapUsed / 1e6)
          }
          return chunk
        }),
        Stream.run(Targets.tally(targets))
      )
      expect(sums.map(({ translated }) => translated)).toEqual([rows, rows, rows])
      expect(source.state).toEqual({ pulled: rows, opened: 1, closed: 1 })
      expect(Math.max(...heap) - heap[0]!).toBeLessThan(10)
    }).pipe(provide({ translate: (texts) => Effect.succeed(answerOf(texts)) }))
  )
})
