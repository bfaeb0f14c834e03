/** The texts of rows, and their identities: so the rows of an output are found again in its source. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Part, Rows } from "../../format/Format.js"
import { DuplicateKeys } from "../FileSourceError.js"
import * as diskLists from "./diskLists.js"

/** The ways to find a row again: by columns that tell rows apart, by the source's text beside its translation, or by its place. */
export type Matching = "key" | "text" | "place"

export const matchingOf = ({ key }: Rows, isBilingual: boolean): Matching =>
  key.length > 0 ? "key" : isBilingual ? "text" : "place"

/** A text of a row, by its identity. */
export interface Cell extends diskLists.Item {
  /** The key of its unit, such as `12:title`. */
  readonly at: string
  /** The place of its part among those with units, and its own in that. */
  readonly part: number
  readonly unit: number
  /** The text of the source; in an output beside a translation, if it is there. */
  readonly source: string | undefined
  /** The translation, if there is one. */
  readonly text: string | undefined
  /** The identity of the row, where that is no key. */
  readonly row: string
}

/** The cells of a file, and the number of its rows. */
export interface Cells {
  readonly rows: () => number
  readonly add: (part: Part, onCell: (cell: Cell) => void) => void
}

const columnOf = (at: string): string => at.slice(at.indexOf(":") + 1)

/** The row of a unit, from 1. */
export const rowOf = (at: string): number => Number.parseInt(at, 10)

/** The cells of parts that have an `id`. An output with translations alone has them as its texts. */
export const make = (matching: Matching, hasSource: boolean, hasTranslation: boolean): Cells => {
  let rows = 0
  let parts = 0
  return {
    rows: () => rows,
    add: ({ id, units }, onCell) => {
      if (id !== undefined) rows++
      if (units.length === 0) return
      units.forEach(({ key: at, text, translation }, unit) => {
        const source = hasSource ? text : undefined
        const by =
          matching === "place" ? at : `${columnOf(at)}\n${matching === "key" ? id : (source ?? "").trim()}`
        const written = hasTranslation ? (hasSource ? translation : text) : undefined
        const row = matching === "key" ? "" : (id ?? "")
        onCell({ by, at, part: parts, unit, source, text: written, row })
      })
      parts++
    }
  }
}

/** Sorted cells, of which no two may have the same key. */
export const unique =
  (file: string, key: ReadonlyArray<string>) =>
  <E, R>(cells: Stream.Stream<Cell, E, R>): Stream.Stream<Cell, E | DuplicateKeys, R> =>
    Stream.suspend(() => {
      let before: Cell | undefined
      return Stream.mapChunksEffect(cells, (chunk) =>
        Effect.suspend(() => {
          for (const cell of Chunk.toReadonlyArray(chunk)) {
            if (before?.by === cell.by) {
              return new DuplicateKeys({ path: file, key, rows: [rowOf(before.at), rowOf(cell.at)] })
            }
            before = cell
          }
          return Effect.succeed(chunk)
        })
      )
    })

/** A cell of the source, and the output's cell with the same identity. */
export interface Joined {
  readonly source?: Cell | undefined
  readonly output?: Cell | undefined
}

/** Joins sorted cells: of several with one identity, the first of both, the second, and so on. */
export const joined = <E>(source: Stream.Stream<Cell, E>, output: Stream.Stream<Cell, E>) =>
  Stream.unwrapScoped(
    Effect.map(Effect.all([diskLists.cursor(source), diskLists.cursor(output)]), ([ofSource, ofOutput]) =>
      diskLists.fromCursors([ofSource, ofOutput], (): Joined | undefined => {
        const [source, output] = [ofSource.next(), ofOutput.next()]
        const isSource = source !== undefined && (output === undefined || source.by <= output.by)
        const isOutput = output !== undefined && (source === undefined || output.by <= source.by)
        if (isSource) ofSource.skip()
        if (isOutput) ofOutput.skip()
        return isSource || isOutput
          ? { source: isSource ? source : undefined, output: isOutput ? output : undefined }
          : undefined
      })
    )
  )
