import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** All items of a list that comes in pages numbered from 0: a page that is not full is the last. */
export const byNumber = <A, E>(
  pageSize: number,
  page: (number: number) => Effect.Effect<ReadonlyArray<A>, E>
): Stream.Stream<A, E> =>
  Stream.paginateChunkEffect(0, (number) =>
    Effect.map(page(number), (items) => [
      Chunk.unsafeFromArray(items),
      items.length < pageSize ? Option.none() : Option.some(number + 1)
    ])
  )

/** All items of a list whose pages name the next one: the last page names none. */
export const byCursor = <A, E>(
  first: number | undefined,
  page: (
    cursor: number | undefined
  ) => Effect.Effect<readonly [items: ReadonlyArray<A>, next: number | null | undefined], E>
): Stream.Stream<A, E> =>
  Stream.paginateChunkEffect(first, (cursor) =>
    Effect.map(page(cursor), ([items, next]) => [Chunk.unsafeFromArray(items), Option.fromNullable(next)])
  )
