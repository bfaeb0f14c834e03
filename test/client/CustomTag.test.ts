/** The custom tag of requests on the wire. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslateStream } from "effect-translate"
import { CustomTag } from "effect-translate/admin"
import { hallo, hello, served, translate, translations, usage } from "../support/client.js"
import * as recording from "../support/recordingServer.js"

const header = (name: string) =>
  Effect.map(recording.requests, (all) => all.map(({ headers }) => headers[name]))

const spring = CustomTag.withCustomTag("spring 2026")

describe("a custom tag", () => {
  it.effect("goes in the header X-Custom-Tag of the calls that it is provided to, and of no other", () =>
    Effect.gen(function* () {
      yield* recording.answer(hallo, hallo, { body: {} })
      yield* spring(translate(hello))
      yield* translate(hello)
      yield* usage
      expect(yield* header("x-custom-tag")).toEqual(["spring 2026", undefined, undefined])
    }).pipe(Effect.provide(served()))
  )

  it.effect("goes in another header", () =>
    Effect.gen(function* () {
      yield* recording.answer(hallo)
      yield* CustomTag.withCustomTag(translate(hello), "spring", { header: "X-Campaign" })
      expect(yield* header("x-campaign")).toEqual(["spring"])
      expect(yield* header("x-custom-tag")).toEqual([undefined])
    }).pipe(Effect.provide(served()))
  )

  it.effect("goes with every request of a stream", () =>
    Effect.gen(function* () {
      yield* recording.answer(translations(...Array(50).fill("Hallo")), hallo)
      yield* Stream.fromIterable(Array(51).fill("Hello")).pipe(
        TranslateStream.translate({ targetLang: "de", concurrency: 1 }),
        Stream.runDrain,
        spring
      )
      expect(yield* header("x-custom-tag")).toEqual(["spring 2026", "spring 2026"])
    }).pipe(Effect.provide(served()))
  )

  it.effect("never takes the place of the key", () =>
    Effect.gen(function* () {
      yield* recording.answer(hallo)
      yield* CustomTag.withCustomTag(translate(hello), "spring", { header: "Authorization" })
      expect((yield* header("authorization"))[0]).toMatch(/^Service-Auth-Key /)
    }).pipe(Effect.provide(served()))
  )

  it.effect.each(["", " spring", "spring\r\nx-y: z", "Frühling", "\u0000"])(
    "that no header takes is refused before anything is sent: %j",
    (tag) =>
      Effect.gen(function* () {
        const error = yield* translate(hello).pipe(CustomTag.withCustomTag(tag), Effect.flip)
        expect(error._tag).toBe("InvalidRequest")
        expect(error.message).toMatch(/^POST \/v2\/translate was not sent: customTag is no tag/)
        expect(yield* recording.requests).toEqual([])
      }).pipe(Effect.provide(served()))
  )

  it.effect("is refused in a header that has no name", () =>
    Effect.gen(function* () {
      const error = yield* translate(hello).pipe(
        CustomTag.withCustomTag("spring", { header: "X Tag" }),
        Effect.flip
      )
      expect(error._tag).toBe("InvalidRequest")
    }).pipe(Effect.provide(served()))
  )
})
