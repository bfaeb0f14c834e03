/** How many Effect operations a file takes for each of its requests, beside those of the request itself. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Csv, TranslationStore } from "effect-translate"
import { JobSource } from "effect-translate/jobs"
import { operationsPerRequest } from "../support/operations.js"
import { run } from "./fileSources.js"
import { file, marking } from "./support.js"

describe("bytes of a format that streams", () => {
  it.effect("take few operations for each request, as no text has one of its own", () =>
    Effect.gen(function* () {
      const { provide } = marking()
      const translated = (requests: number) =>
        run(
          JobSource.bytes({
            name: "bytes",
            bytes: file(`title\n${"A mug and a cup\n".repeat(50 * requests)}`, 131_072),
            format: Csv.make({ columns: ["title"] }),
            write: () => (bytes) => Stream.runDrain(bytes)
          }),
          ["de"],
          { options: { maxTexts: 50, dedupe: false, store: TranslationStore.none } }
        ).pipe(provide)
      // 50.3 were measured. Whoever lowers the number lowers the bound.
      expect(Math.round(yield* operationsPerRequest(translated))).toBeLessThanOrEqual(50)
    })
  )
})
