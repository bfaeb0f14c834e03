/** Lists of any length: a part of them is in memory, and the rest in temporary files. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as files from "../../internal/files.js"
import { encoder } from "../../internal/utf8.js"

/** An item of a list: a value that JSON can hold, with the text that it is sorted by. */
export interface Item {
  readonly by: string
}

/** The characters of a list that are in memory, about: 16 Mi take some 60 MB. */
const defaultHeld = 16_777_216

/** The characters that are written at once. */
const pieceLength = 1_048_576

/** The items that are handed on at once. */
const chunkSize = 2048

/** Why a temporary file can't be written or read. */
export type DiskError = PlatformError.PlatformError

type Items<A, E = DiskError> = Stream.Stream<A, E>

/** A list that is being made. */
export interface DiskList<A extends Item> {
  readonly add: (items: ReadonlyArray<A>) => Effect.Effect<void, PlatformError.PlatformError>
  /** Its items, which may be read several times: in their order, or sorted by their texts and then in their order. */
  readonly end: Effect.Effect<Items<A>>
}

/** Reads a list with the next item in sight. */
export interface Cursor<A, E = DiskError> {
  /** The next item; none at the end. Valid once `fill` has run. */
  readonly next: () => A | undefined
  readonly skip: () => void
  /** True if `next` is not known before `fill`. */
  readonly isEmpty: () => boolean
  readonly fill: Effect.Effect<void, E>
}

/** A cursor over a list. */
export const cursor = <A, E>(items: Items<A, E>): Effect.Effect<Cursor<A, E>, never, Scope.Scope> =>
  Effect.map(Stream.toPull(items), (pull) => {
    let held: ReadonlyArray<A> = []
    let at = 0
    let isDone = false
    const isEmpty = () => at === held.length && !isDone
    const fill: Cursor<A, E>["fill"] = Effect.suspend(() =>
      isEmpty()
        ? Effect.flatMap(
            Effect.catchAll(pull, (end) =>
              Option.match(end, {
                onNone: () => {
                  isDone = true
                  return Effect.succeed(Chunk.empty<A>())
                },
                onSome: Effect.fail
              })
            ),
            (chunk) => {
              held = Chunk.toReadonlyArray(chunk)
              at = 0
              return fill
            }
          )
        : Effect.void
    )
    return { next: () => held[at], skip: () => void at++, isEmpty, fill }
  })

/** Makes items of several cursors, as many at once as can be made without reading on. */
export const fromCursors = <E, B>(
  cursors: ReadonlyArray<Cursor<unknown, E>>,
  /** The next item; `undefined` at the end. */
  make: () => B | undefined
): Stream.Stream<B, E> =>
  Stream.repeatEffectChunkOption(
    Effect.flatMap(
      Effect.mapError(
        Effect.forEach(cursors, ({ fill }) => fill, { discard: true }),
        Option.some
      ),
      () => {
        const made: Array<B> = []
        while (made.length < chunkSize && !cursors.some(({ isEmpty }) => isEmpty())) {
          const item = make()
          if (item === undefined) break
          made.push(item)
        }
        return made.length === 0 ? Effect.fail(Option.none()) : Effect.succeed(Chunk.unsafeFromArray(made))
      }
    )
  )

const order = (one: Item, other: Item): number => (one.by < other.by ? -1 : one.by > other.by ? 1 : 0)

/** Sorted lists as one. Of equal texts those of earlier lists come first. */
const merged = <A extends Item>(lists: ReadonlyArray<Items<A>>): Items<A> =>
  Stream.unwrapScoped(
    Effect.map(Effect.forEach(lists, cursor), (cursors) =>
      fromCursors(cursors, () => {
        let first: Cursor<A> | undefined
        for (const one of cursors) {
          const item = one.next()
          if (item !== undefined && (first === undefined || item.by < first.next()!.by)) first = one
        }
        const item = first?.next()
        first?.skip()
        return item
      })
    )
  )

/** The items of a file, which has one in each line. */
const itemsOf = <A>(fs: FileSystem.FileSystem, path: string): Items<A> =>
  Stream.suspend(() => {
    const decoder = new TextDecoder()
    let rest = ""
    return Stream.mapChunks(files.read(fs, path), (pieces) => {
      let text = rest
      for (const piece of pieces) text += decoder.decode(piece, { stream: true })
      const lines = text.split("\n")
      rest = lines.pop()!
      return Chunk.unsafeFromArray(lines.map((line) => JSON.parse(line) as A))
    })
  })

/** The lists of a folder that is gone with its scope. */
export interface DiskLists {
  readonly make: <A extends Item>(isSorted: boolean) => DiskList<A>
}

export const make = (
  held = defaultHeld
): Effect.Effect<DiskLists, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { join } = yield* Path.Path
    const folder = yield* fs.makeTempDirectoryScoped({ prefix: "effect-translate-" })
    let count = 0

    const write = (items: ReadonlyArray<Item>) =>
      Effect.gen(function* () {
        const path = join(folder, `${count++}.jsonl`)
        const file = yield* fs.open(path, { flag: "wx" })
        let text = ""
        for (const [index, item] of items.entries()) {
          text += `${JSON.stringify(item)}\n`
          if (text.length < pieceLength && index < items.length - 1) continue
          yield* file.writeAll(encoder.encode(text))
          text = ""
        }
        return path
      }).pipe(Effect.scoped)

    return {
      make: <A extends Item>(isSorted: boolean): DiskList<A> => {
        const written: Array<string> = []
        let items: Array<A> = []
        let length = 0
        const sort = () => (isSorted ? items.sort(order) : items)
        const spill = Effect.suspend(() =>
          Effect.map(write(sort()), (path) => {
            written.push(path)
            items = []
            length = 0
          })
        )
        return {
          add: (added) =>
            Effect.suspend(() => {
              for (const item of added) {
                items.push(item)
                for (const value of Object.values(item)) if (typeof value === "string") length += value.length
                length += 50
              }
              return length > held ? spill : Effect.void
            }),
          end: Effect.sync(() => {
            const last = sort()
            const lists = [
              ...written.map((path) => itemsOf<A>(fs, path)),
              Stream.suspend(() => Stream.fromChunk(Chunk.unsafeFromArray(last)))
            ]
            return isSorted && lists.length > 1
              ? merged(lists)
              : Stream.flatMap(Stream.fromIterable(lists), (list) => list)
          })
        }
      }
    }
  })
