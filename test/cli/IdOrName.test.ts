import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findByIdOrName, type Wanted } from "../../src/cli/idOrName.js"
import { NotFound, Unauthorized } from "../../src/client/TranslateError.js"

const all = [
  { id: "1", name: "Shop" },
  { id: "2", name: "Press" },
  { id: "3", name: "Press" },
  { id: "4", name: "1" }
]

const answer = { method: "GET", path: "/", delivery: "rejected", attempts: 1, ambiguousAttempts: 0 } as const

const notFound = new NotFound({ ...answer, status: 404 })

const wanted: Wanted<(typeof all)[number]> = {
  noun: "style",
  nouns: "styles",
  idOf: ({ id }) => id,
  list: Effect.succeed(all),
  get: (given) => {
    const found = all.find(({ id }) => id === given)
    return found === undefined ? Effect.fail(notFound) : Effect.succeed(found)
  }
}

const find = (reference: string) => findByIdOrName(reference, wanted)

describe("a resource by id or name", () => {
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

  for (const error of [new Unauthorized({ ...answer, status: 403 }), notFound]) {
    const { status } = error
    it.effect(`is found by its id alone, if the list is answered with ${status}`, () =>
      Effect.gen(function* () {
        const notListing = { ...wanted, list: Effect.fail(error) }
        expect(yield* findByIdOrName("2", notListing)).toBe(all[1])
        expect((yield* Effect.flip(findByIdOrName("Shop", notListing))).message).toBe(
          `The service answers with ${status} instead of listing the styles, so none can be found by its name, and Shop is no id of one: give the id.`
        )
      })
    )
  }

  it.effect("is not looked for by a key that is refused", () =>
    Effect.gen(function* () {
      const refused = { ...wanted, list: Effect.fail(new Unauthorized({ ...answer, status: 401 })) }
      expect(yield* Effect.flip(findByIdOrName("2", refused))).toMatchObject({
        _tag: "Unauthorized",
        status: 401
      })
    })
  )
})
