import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { RepeatedPage } from "../../TranslateError.js"
import type { Endpoint } from "./call.js"

const repeated = ({ method, path }: Endpoint, page: number | undefined) =>
  new RepeatedPage({ method, path, page })

/** A page of a list, and how many items all pages hold, if the service says it. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly total?: number | undefined
}

/**
 * All items of a list whose pages are numbered from 0, until there are as many as the service says, or a page is empty: it may
 * give fewer on a page than were asked for. A page of the same ids as an earlier one is refused.
 */
export const byNumber = <A, E>(
  endpoint: Endpoint,
  idOf: (item: A) => string,
  page: (number: number) => Effect.Effect<Page<A>, E>
): Stream.Stream<A, E | RepeatedPage> =>
  Stream.suspend(() => {
    const pages = new Set<string>()
    let count = 0
    return Stream.paginateChunkEffect(0, (number) =>
      Effect.gen(function* () {
        const { items, total = Number.POSITIVE_INFINITY } = yield* page(number)
        const ids = JSON.stringify(items.map(idOf))
        if (pages.has(ids)) return yield* repeated(endpoint, number)
        pages.add(ids)
        count += items.length
        const isLast = items.length === 0 || count >= total
        return [Chunk.unsafeFromArray(items), isLast ? Option.none() : Option.some(number + 1)] as const
      })
    )
  })

/** All items of a list whose pages name the next one: the last page names none. One that was read already is refused. */
export const byCursor = <A, C extends number | string, E>(
  endpoint: Endpoint,
  first: C | undefined,
  page: (
    cursor: C | undefined
  ) => Effect.Effect<readonly [items: ReadonlyArray<A>, next: C | null | undefined], E>
): Stream.Stream<A, E | RepeatedPage> =>
  Stream.suspend(() => {
    const read = new Set<C | undefined>()
    return Stream.paginateChunkEffect(first, (cursor) =>
      Effect.gen(function* () {
        if (read.has(cursor)) {
          return yield* repeated(endpoint, typeof cursor === "string" ? read.size : cursor)
        }
        read.add(cursor)
        const [items, next] = yield* page(cursor)
        return [Chunk.unsafeFromArray(items), Option.fromNullable(next)] as const
      })
    )
  })
