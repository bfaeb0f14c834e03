/** What the emulator says of a query, a path or a body that breaks a rule: field and rule, under the names of the wire. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { send, served } from "./support.js"

const get = (path: string) => send(undefined, { method: "GET", path })

describe("a query that breaks a rule", () => {
  it.effect.each([
    ["page_size=26", "page_size is 26; it must be a whole number from 1 to 25"],
    ["page_size=0", "page_size is 0; it must be a whole number from 1 to 25"],
    ["page=-1", "page is -1; it must be a whole number of at least 0"],
    [
      "page=-1&page_size=26",
      "page is -1; it must be a whole number of at least 0; page_size is 26; it must be a whole number from 1 to 25"
    ]
  ] as const)("%s is refused with field and rule", ([query, message]) =>
    Effect.gen(function* () {
      const { json, status } = yield* get(`/v3/translation_memories?${query}`)
      expect({ status, message: json.message }).toEqual({ status: 400, message })
    }).pipe(Effect.provide(served()))
  )

  it.effect.each([
    ["page=secret", "page must be number"],
    ["page=1&page=secret", "page must be string"]
  ] as const)("%s is refused without its value", ([query, message]) =>
    Effect.gen(function* () {
      const { json, status } = yield* get(`/v3/translation_memories?${query}`)
      expect({ status, message: json.message }).toEqual({ status: 400, message })
    }).pipe(Effect.provide(served()))
  )

  it.effect("is refused before the work, but after the key", () =>
    Effect.gen(function* () {
      const { status } = yield* send(undefined, {
        method: "GET",
        path: "/v3/translation_memories?page=-1",
        headers: { authorization: "Service-Auth-Key wrong" }
      })
      expect(status).toBe(403)
    }).pipe(Effect.provide(served()))
  )
})
