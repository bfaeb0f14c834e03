import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Limits from "../../api/Limits.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type * as TranslationMemory from "../../api/TranslationMemory.js"

/** The handlers of translation memories: the service makes them, so they come from the emulator's settings. */
export const handlers = (memories: ReadonlyArray<TranslationMemory.TranslationMemory>) =>
  HttpApiBuilder.group(TranslateApi.TranslateApi, "translationMemories", (handlers) =>
    handlers.handle(
      "list",
      ({ urlParams: { page = 0, pageSize = Limits.translationMemoryPageSize.default } }) =>
        Effect.succeed({
          translationMemories: memories.slice(page * pageSize, (page + 1) * pageSize),
          totalCount: memories.length
        })
    )
  )
