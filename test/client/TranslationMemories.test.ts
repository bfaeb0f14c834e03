/** Translation memories: the wire, the answers, and the emulator behind them. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TranslateClient } from "effect-translate"
import { key, served } from "../support/client.js"
import { emulatedInProcess } from "../support/emulator.js"
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

  it.effect("refuses options that do not exist", () =>
    Effect.gen(function* () {
      const misspelt = { pagesize: 5 } as object
      const error = yield* Effect.flip(Effect.flatMap(memories, ({ list }) => list(misspelt)))
      expect(error).toMatchObject({ _tag: "InvalidRequest", violations: [{ field: "pagesize" }] })
      expect(yield* recording.requests).toEqual([])
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

describe("the stream of translation memories", () => {
  const all = Array.from({ length: 53 }, (_, index) => ({ translation_memory_id: `memory ${index}` }))

  it.effect("ends at the count of the service, though it gives 10 a page", () =>
    Effect.gen(function* () {
      yield* recording.answer(
        ...[0, 10, 20, 30, 40, 50].map((start) => ({
          body: { translation_memories: all.slice(start, start + 10), total_count: 53 }
        }))
      )
      const { stream } = yield* memories
      expect(yield* Stream.runCount(stream)).toBe(53)
      expect((yield* recording.requests).map(({ path }) => path)).toEqual(
        [0, 1, 2, 3, 4, 5].map((page) => `/v3/translation_memories?page=${page}&page_size=25`)
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("ends at an empty page where there is no count", () =>
    Effect.gen(function* () {
      yield* recording.answer(
        ...[all.slice(0, 10), all.slice(10, 13), []].map((translation_memories) => ({
          body: { translation_memories }
        }))
      )
      const { stream } = yield* memories
      expect(yield* Stream.runCount(stream)).toBe(13)
    }).pipe(Effect.provide(served()))
  )

  it.effect("fails at a page that was read already, after the items before it", () =>
    Effect.gen(function* () {
      const pages = [all.slice(0, 2), all.slice(2, 4), all.slice(0, 2)]
      yield* recording.answer(
        ...pages.map((translation_memories) => ({ body: { translation_memories, total_count: 53 } }))
      )
      const { stream } = yield* memories
      const found: Array<string> = []
      const error = yield* Effect.flip(
        Stream.runForEach(stream, ({ translationMemoryId }) =>
          Effect.sync(() => found.push(translationMemoryId))
        )
      )
      expect(found).toEqual(["memory 0", "memory 1", "memory 2", "memory 3"])
      expect(error).toMatchObject({ _tag: "RepeatedPage", page: 2 })
      expect(error.message).toBe(
        "GET /v3/translation_memories: Page 2 was read already, so there may be items that no page holds. Check the proxies between, which may drop the query; else report it to the service's support."
      )
    }).pipe(Effect.provide(served()))
  )

  it.effect("may run twice", () =>
    Effect.gen(function* () {
      const page = { body: { translation_memories: all.slice(0, 1), total_count: 1 } }
      yield* recording.answer(page, page)
      const { stream } = yield* memories
      expect([yield* Stream.runCount(stream), yield* Stream.runCount(stream)]).toEqual([1, 1])
    }).pipe(Effect.provide(served()))
  )
})

describe("GET /v3/translation_memories decoded", () => {
  it.effect("decodes every field, keeps unknown ones and does without missing ones", () =>
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
            segmentCount: 1200,
            extra: { colour: "red" }
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
    }).pipe(Effect.provide(emulatedInProcess({ translationMemories: all })))
  )
})
