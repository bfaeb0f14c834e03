/** Documents of the emulator that are large. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { PseudoTranslation } from "effect-translate/emulator"
import { bytes, status, text, translated, upload } from "./documents.js"
import { meter, served } from "./support.js"

const de = (said: string) => PseudoTranslation.translate(said, "de")

describe("a large document", () => {
  it.effect("of text is read in pieces", () =>
    Effect.gen(function* () {
      const lines = (line: string) => `${line}\n`.repeat(20_000)
      const result = yield* translated("a.txt", bytes(lines("Grüße an alle")))
      expect(text(result) === lines(de("Grüße an alle"))).toBe(true)
      expect((yield* meter).characters).toBe(20_000 * 13)
    }).pipe(Effect.provide(served()))
  )

  it.effect("whose XML is larger than the bound becomes an error", () =>
    Effect.gen(function* () {
      const handle = yield* upload("a.xlf", bytes(`<xliff version="2.1">${" ".repeat(32_000_001)}</xliff>`))
      expect(handle.status).toBe(200)
      const { error_message, status: state } = (yield* status(handle.json)).json
      expect(state).toBe("error")
      expect(error_message).toMatch(/^The file holds \d+ bytes; the emulator reads at most 32000000/)
    }).pipe(Effect.provide(served()))
  )
})
