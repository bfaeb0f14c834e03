import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findByIdOrName } from "../../src/cli/idOrName.js"

const all = [
  { id: "1", name: "Shop" },
  { id: "2", name: "Press" },
  { id: "3", name: "Press" },
  { id: "4", name: "1" }
]

const find = (reference: string) =>
  findByIdOrName(all, reference, { noun: "style", nouns: "styles", idOf: ({ id }) => id })

describe("what is named by id or name", () => {
  it.effect("is found by its name, and by its id before a name that is equal", () =>
    Effect.gen(function* () {
      expect(yield* find("Shop")).toBe(all[0])
      expect(yield* find("1")).toBe(all[0])
    })
  )

  it.effect("has to be one", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(find("Nope"))).message).toBe(
        'There is no style Nope: see "effect-translate style list".'
      )
      expect((yield* Effect.flip(find("Press"))).message).toBe(
        "2 styles are named Press: give the id, one of 2, 3."
      )
    })
  )
})
