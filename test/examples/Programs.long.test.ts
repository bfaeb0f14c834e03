/** Programs that an engineer writes first: a client, a queue, a test, terms, a workflow, an endpoint. */
import { readFileSync } from "node:fs"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Emulator, PseudoTranslation } from "effect-translate/emulator"
import { sharedLayer } from "../support/sharedLayer.js"
import { example, layer, run } from "./example.js"
import { processTimeout, serviceEnv } from "./process.js"

const names = [
  "client",
  "queue",
  "policies",
  "house-terms",
  "activity",
  "endpoint",
  "quality",
  "another-engine"
]

const test = sharedLayer(layer(names), processTimeout)

describe("programs", () => {
  test("client: one call, and its errors by tag", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("client")
      expect(code).toBe(0)
      expect(stdout).toBe(`${PseudoTranslation.translate("Good morning", "de")}\nGood morning\n`)
      expect(stderr).toMatch(/^POST \/v2\/translate was not sent: formality.*\n$/)
    }))

  test("queue: texts beyond the budget are put back", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("queue")
      expect(code, stderr).toBe(0)
      expect(stdout.trim().split("\n")).toEqual([
        "1: [de] Gööd mörñîñg",
        "2: [de] Gööd ñîght",
        "3: put back, BudgetExceeded",
        expect.stringMatching(/^The budget of 30 characters is used up/),
        "{ done: 3, failed: 1, characters: 22 }"
      ])
      expect(stderr).toContain("3 of 3")
    }))

  test("policies: hours of a quota and of an outage take no time", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("policies")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout.trim().split("\n")).toEqual([
        "translated after 2 minutes { requests: 4, characters: 22 }",
        "translated after 2 hours { requests: 3, characters: 22 }",
        expect.stringMatching(/^TransportError after 30 minutes \{ requests: \d+, characters: 0 \}$/)
      ])
    }))

  test("quality: a translation with a low score of the endpoint is refused, and its cost is counted", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("quality")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout.trim().split("\n")).toEqual([
        "[de] Gööd mörñîñg",
        expect.stringMatching(/^The translation was refused by quality: Its score is 0.4\./),
        "4 cents"
      ])
    }))

  test("house-terms: the texts and the document have the terms of the glossary", () =>
    Effect.gen(function* () {
      const { code, folder, stderr, stdout } = yield* example("house-terms", {
        "notes.txt": "The mug is full"
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout.trim().split("\n")).toEqual([
        "[de] Thé Becher îs fûll",
        "[fr] Thé tasse îs fûll",
        "2 documents translated, 30 characters billed"
      ])
      expect(readFileSync(`${folder}/notes.fr.txt`, "utf8")).toBe("[fr] Thé tasse îs fûll")
    }))

  test("activity: the same again finds its result in the journal", () =>
    Effect.gen(function* () {
      const first = yield* example("activity")
      expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" })
      expect(first.stdout.trim().split("\n")).toEqual([
        "[de] Gööd mörñîñg",
        "[de] Gööd ñîght",
        "22 characters billed, 0 texts have failed"
      ])
      const { meter } = yield* Emulator.Emulator
      const { requests } = yield* meter
      expect((yield* run(first.folder, "activity", yield* serviceEnv)).stdout).toBe(first.stdout)
      expect((yield* meter).requests).toBe(requests)
    }))

  test("endpoint: each caller has an answer, and a budget that is used up is one of its own", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("endpoint")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout.trim().split("\n")).toEqual([
        expect.stringContaining('200 {"translation":"[de] Gööd mörñîñg"'),
        expect.stringContaining('200 {"translation":"[de] Gööd mörñîñg"'),
        expect.stringContaining('200 {"translation":"[de] Gööd ñîght"'),
        expect.stringMatching(/^402 The budget of 40 characters/)
      ])
    }))

  test("another-engine: packing, order, store, checks and budget hold, and the service goes on where the model fails", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* example("another-engine")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const lines = stdout.split("\n").map((line) => line.trim())
      // At most two texts a call; "fragile" and its neighbour go to the service.
      expect(lines.filter((line) => line.startsWith("the model got"))).toEqual(["the model got 2 texts"])
      expect(lines.filter((line) => /^(Translated|Cached|Skipped)/.test(line))).toEqual([
        "Translated <Mug>",
        "Translated <Room 13> [ 'numbers' ]",
        "Skipped",
        "Cached <Mug>",
        "Translated [de] frågîlé",
        "Translated [de] Pöt",
        "Cached <Mug>",
        "Cached <Room 13>",
        "Skipped",
        "Cached <Mug>",
        "Cached [de] frågîlé",
        "Cached [de] Pöt"
      ])
      expect(stdout).toContain("{ cap: 100, spent: 20, reserved: 0 }")
    }))
})
