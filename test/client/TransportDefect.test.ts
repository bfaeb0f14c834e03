/** A transport with a defect, which is no outage: another attempt fails as well. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { hello, layerOver, translate } from "../support/client.js"

/** The end of a call whose transport fails so, and the number of times it was sent. */
const endOf = (cause: unknown) =>
  Effect.gen(function* () {
    let sent = 0
    const client = HttpClient.make((request) => {
      sent++
      return Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause }))
    })
    const exit = yield* translate(hello).pipe(
      Effect.provide(layerOver().pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, client)))),
      Effect.exit
    )
    return { error: Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined, exit, sent }
  })

const isDie = (exit: Exit.Exit<unknown, unknown>) => Exit.isFailure(exit) && Cause.isDie(exit.cause)

describe("a defect of the transport", () => {
  it.virtual.each([
    new TypeError("undici.request is not a function"),
    new TypeError("Cannot read properties of undefined (reading 'request')"),
    new TypeError("fetch failed", { cause: new ReferenceError("dispatcher is not defined") }),
    new TypeError("Class constructor Agent cannot be invoked without 'new'"),
    Object.assign(new TypeError("The argument must be a string"), { code: "ERR_INVALID_ARG_TYPE" })
  ])("is told as one, at once: %s", (cause) =>
    Effect.gen(function* () {
      const { error, exit, sent } = yield* endOf(cause)
      expect(isDie(exit)).toBe(true)
      expect(sent).toBe(1)
      expect(String(error)).toContain("The HTTP client that the program gives has a defect")
    })
  )

  it.virtual("is named in the words of the engine, and never in others, which may show the key", () =>
    Effect.gen(function* () {
      const { error } = yield* endOf(new TypeError("undici.request is not a function"))
      expect(String(error)).toContain("TypeError: undici.request is not a function")
      const { error: other } = yield* endOf(new TypeError('"Bearer s3cret" is an invalid header value'))
      expect(String(other)).toContain("(TypeError)")
      expect((other as Error).stack).not.toContain("s3cret")
    })
  )

  it.virtual("is no failure of the network, which fetch tells in words of each runtime", () =>
    Effect.gen(function* () {
      for (const message of [
        "Failed to fetch",
        "fetch failed",
        "Load failed",
        "NetworkError when attempting to fetch resource.",
        "error sending request for url",
        "The network connection was lost.",
        "terminated"
      ]) {
        const { exit, sent } = yield* endOf(new TypeError(message))
        expect([message, isDie(exit)]).toEqual([message, false])
        expect(sent).toBeGreaterThan(1)
      }
    })
  )

  it.virtual("is told as a lack of memory where WebAssembly gets none", () =>
    Effect.gen(function* () {
      const cause = new RangeError("WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory")
      const { error, sent } = yield* endOf(cause)
      expect(error).toMatchObject({ code: "ENOMEM" })
      expect(sent).toBe(1)
    })
  )
})
