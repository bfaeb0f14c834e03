/** Translation memories: the wire, the answers, and the emulator behind them. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import { key, served } from "../support/client.js"
import { emulated } from "../support/emulator.js"
import * as recording from "../support/recordingServer.js"

const memories = Effect.map(TranslateClient.TranslateClient, (client) => client.translationMemories)

const first = {
  translation_memory_id: "a74d88fb-ed2a-4943-a664-a4512398b994",
  name: "Catalogue",
  source_language: "en",
  target_languages: ["de", "pt-BR"],
  segment_count: 1200
}

describe("GET /v3/translation_memories on the wire", () => {
  it.effect("asks for the page in the query", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { translation_memories: [], total_count: 0 } })
      yield* Effect.flatMap(memories, ({ list }) => list({ page: 2, pageSize: 25 }))
      const request = yield* recording.onlyRequest
      expect(request.method).toBe("GET")
      expect(request.path).toBe("/v3/translation_memories?page=2&page_size=25")
      expect(request.headers.authorization).toBe(`Service-Auth-Key ${key}`)
      expect(request.text).toBe("")
    }).pipe(Effect.provide(served()))
  )

  it.effect("leaves the query out when nothing is asked for", () =>
    Effect.gen(function* () {
      yield* recording.answer({ body: { translation_memories: [] } })
      yield* Effect.flatMap(memories, ({ list }) => list())
      expect((yield* recording.onlyRequest).path).toBe("/v3/translation_memories")
    }).pipe(Effect.provide(served()))
  )

  it.effect('refuses a page size outside "1–25" before anything is sent', () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.flatMap(memories, ({ list }) => list({ pageSize: 26 })))
      expect(error._tag).toBe("InvalidRequest")
      expect(error.message).toBe(
        "GET /v3/translation_memories was not sent: pageSize is 26; it must be a whole number from 1 to 25"
      )
      expect(yield* recording.requests).toEqual([])
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v3/translation_memories decoded", () => {
  it.effect("decodes every field, ignores unknown ones and does without missing ones", () =>
    Effect.gen(function* () {
      yield* recording.answer({
        body: {
          translation_memories: [{ ...first, colour: "red" }, { translation_memory_id: "b" }],
          total_count: 2
        }
      })
      expect(yield* Effect.flatMap(memories, ({ list }) => list())).toEqual({
        translationMemories: [
          {
            translationMemoryId: "a74d88fb-ed2a-4943-a664-a4512398b994",
            name: "Catalogue",
            sourceLanguage: "en",
            targetLanguages: ["de", "pt-BR"],
            segmentCount: 1200
          },
          { translationMemoryId: "b" }
        ],
        totalCount: 2
      })
    }).pipe(Effect.provide(served()))
  )
})

describe("the emulator's translation memories", () => {
  const all = Array.from({ length: 51 }, (_, index) => ({ translationMemoryId: `memory ${index}` }))

  it.effect("come as a stream, page after page", () =>
    Effect.gen(function* () {
      const { list, stream } = yield* memories
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(stream))).toEqual(all)
      expect((yield* list()).translationMemories).toEqual(all.slice(0, 10))
      expect(yield* list({ page: 5 })).toEqual({ translationMemories: all.slice(50), totalCount: 51 })
    }).pipe(
      Effect.provide(emulated({ translationMemories: all })),
      Effect.provide(NodeHttpClient.layerUndici)
    )
  )
})
