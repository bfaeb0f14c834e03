/** The translation memory of the service that a command line names. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TranslateClient from "../client/TranslateClient.js"
import type { RepeatedPage } from "../client/TranslateError.js"
import type { TranslationMemory } from "../client/TranslationMemories.js"
import { findByIdOrName } from "./idOrName.js"

/** The service may not say a name. */
const named = (memory: TranslationMemory) => ({ ...memory, name: memory.name ?? "" })

/** All of the account. */
export const all = Effect.flatMap(TranslateClient.TranslateClient, ({ translationMemories }) =>
  Effect.map(Stream.runCollect(Stream.map(translationMemories.stream, named)), Chunk.toReadonlyArray)
)

/** The one of an id or a name. */
export const find = (reference: string) =>
  Effect.gen(function* () {
    const client = yield* TranslateClient.TranslateClient
    return yield* findByIdOrName<ReturnType<typeof named>, RepeatedPage>(reference, {
      noun: "translation-memory",
      nouns: "translation memories",
      idOf: ({ translationMemoryId }) => translationMemoryId,
      list: Effect.provideService(all, TranslateClient.TranslateClient, client),
      get: (id) => Effect.map(client.translationMemories.get(id), named)
    })
  })
