import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Limits from "../../api/Limits.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type * as TranslationMemory from "../../api/TranslationMemory.js"
import type { AccountState } from "./account.js"
import type { MemoryState } from "./memoryState.js"
import { refusal } from "./refusal.js"

/** Where the request came to: addresses of files are there too. */
const base = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
  Option.getOrElse(HttpServerRequest.toURL(request), () => new URL("http://emulator.localhost"))
)

const holds = ({ filterCaseSensitive = false, filterText }: TranslationMemory.SegmentQuery) => {
  if (filterText === undefined) return () => true
  const normal = (text: string) => (filterCaseSensitive ? text : text.toLowerCase())
  const wanted = normal(filterText)
  return ({ sourceText, targets }: TranslationMemory.Segment) =>
    [sourceText, ...targets.map(({ targetText }) => targetText)].some((text) => normal(text).includes(wanted))
}

const segmentsOf = (
  segments: ReadonlyArray<TranslationMemory.Segment>,
  query: TranslationMemory.SegmentQuery
) => {
  const { pageCursor = "after-0", pageSize = Limits.translationMemorySegmentPageSize.default } = query
  const [, from] = /^after-(\d{1,9})$/.exec(pageCursor) ?? []
  if (from === undefined) return refusal("BadRequest", "page_cursor is none that a page has named")
  const found = segments.filter(holds(query))
  const end = Number(from) + pageSize
  return Effect.succeed({
    segments: found.slice(Number(from), end),
    segmentCount: segments.length,
    ...(end < found.length && { nextPageCursor: `after-${end}` })
  })
}

/** Refuses keys that have scopes, and not this one. */
const allowed = (account: AccountState, scope: "read" | "write") =>
  Effect.flatMap(account.caller, ({ scopes }) => {
    const wanted = `translation_memories:${scope}`
    return scopes === undefined || scopes.includes(wanted)
      ? Effect.void
      : refusal("Forbidden", `The key lacks the scope ${wanted}`)
  })

/** The handlers of translation memories. */
export const handlers = (account: AccountState, state: MemoryState) => {
  const read = allowed(account, "read")
  const write = allowed(account, "write")
  return HttpApiBuilder.group(TranslateApi.TranslateApi, "translationMemories", (handlers) =>
    handlers
      .handle("list", ({ urlParams: { page = 0, pageSize = Limits.translationMemoryPageSize.default } }) =>
        Effect.gen(function* () {
          yield* read
          const own = yield* state.own
          return {
            translationMemories: Array.from(own.values(), ({ memory }) => memory).slice(
              page * pageSize,
              (page + 1) * pageSize
            ),
            totalCount: own.size
          }
        })
      )
      .handle("startImport", ({ payload }) =>
        Effect.zipRight(
          write,
          Effect.flatMap(base, (base) => state.startImport(payload, base))
        )
      )
      .handle("job", ({ path: { jobId } }) =>
        Effect.zipRight(
          read,
          Effect.flatMap(base, (base) => state.job(jobId, base))
        )
      )
      .handle("get", ({ path: { translationMemoryId } }) =>
        Effect.zipRight(
          read,
          Effect.map(state.find(translationMemoryId), ({ memory }) => memory)
        )
      )
      .handle("delete", ({ path: { translationMemoryId } }) =>
        Effect.zipRight(write, state.remove(translationMemoryId))
      )
      .handle("segments", ({ path: { translationMemoryId }, urlParams }) =>
        Effect.zipRight(
          read,
          Effect.flatMap(state.find(translationMemoryId), ({ segments }) => segmentsOf(segments, urlParams))
        )
      )
      .handle("startExport", ({ path: { translationMemoryId: id } }) =>
        Effect.gen(function* () {
          yield* read
          const { isEarlier, jobId, translationMemoryId } = yield* state.startExport(id)
          return HttpServerResponse.unsafeJson(
            { job_id: jobId, parameters: { translation_memory_id: translationMemoryId } },
            { status: isEarlier ? 200 : 202 }
          )
        })
      )
  )
}
