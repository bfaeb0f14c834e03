/**
 * Ranges of the rows of a table, each a source, cut into slices: for jobs whose rows are translated by several processes.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { makeByteHash } from "../internal/hash.js"
import { encoder } from "../internal/utf8.js"
import * as rangedRows from "./internal/rangedRows.js"
import * as recordedRows from "./internal/recordedRows.js"
import * as tableClient from "./internal/tableClient.js"
import * as tableOutput from "./internal/tableOutput.js"
import * as tableRows from "./internal/tableRows.js"
import type { TableError } from "./TableError.js"

/**
 * The rows, and where their translations go.
 *
 * @internal
 */
export interface Options {
  readonly table: tableRows.Table
  readonly output: tableOutput.Output
  readonly existing?: "keep" | "overwrite" | undefined
}

/**
 * The database that has the tables: a given client, or the client of the context.
 *
 * @internal
 */
export type Client = SqlClient.SqlClient | undefined

/**
 * The last keys of ranges.
 *
 * @internal
 */
export const Keys = Schema.Array(tableRows.Key)

const decodeBounds = Schema.decodeUnknownOption(rangedRows.Bounds)

/**
 * A range of the rows as a source. Its check adds the columns of hashes that the output lacks.
 *
 * @internal
 */
export const source = (
  given: Client,
  { existing, output, table }: Options,
  name: string,
  bounds: rangedRows.Bounds
) => {
  const client = tableClient.make(given)
  const common = { name, table, existing, countsKept: true }
  const within = (bounds: rangedRows.Bounds) => (targets: ReadonlyArray<string>) =>
    rangedRows.rows(client, table, bounds, output, targets)
  const whole: recordedRows.Source = {
    ...recordedRows.make({
      ...common,
      rows: within(bounds),
      write: (rowOf) => tableOutput.write(client, table, output, { rowOf })
    }),
    check: (targets) => {
      const languages = targets.map(({ lang }) => lang)
      return Effect.zipRight(
        tableOutput.check(client, table, output, languages),
        tableOutput.addHashes(client, output, languages)
      ).pipe(Effect.as([`${output.table} ${name}`]))
    }
  }
  return {
    source: whole,
    slices: (size: () => number) => rangedRows.slices(client, table, bounds, size),
    slice: (reference: unknown): recordedRows.Source =>
      recordedRows.make({
        ...common,
        // A slice of a later version of this library can't be read here.
        rows: Option.match(decodeBounds(reference), { onNone: () => () => Stream.empty, onSome: within }),
        write: () => () => Stream.runDrain
      })
  }
}

/**
 * The last keys of ranges of `size` rows, but of the last range.
 *
 * @internal
 */
export const keys = (given: Client, { table }: Options, size: number) =>
  rangedRows.ranges(tableClient.make(given), table, size)

/**
 * Makes the missing parts of the output.
 *
 * @internal
 */
export const prepare = (given: Client, { output, table }: Options, targets: ReadonlyArray<string>) =>
  tableOutput.prepare(tableClient.make(given), table, output, targets)

/**
 * The hash of keys and texts, and of `head` in front of them.
 *
 * @internal
 */
export const hash = (
  given: Client,
  { table }: Options,
  head: string
): Effect.Effect<string, TableError, SqlClient.SqlClient> =>
  Effect.suspend(() => {
    const content = makeByteHash()
    const update = (value: string) => content.update(encoder.encode(value))
    update(head)
    return rangedRows.rows(tableClient.make(given), table, {}).pipe(
      Stream.runForEachChunk((chunk) =>
        Effect.sync(() => {
          for (const row of Chunk.toReadonlyArray(chunk)) {
            update(JSON.stringify([row[tableRows.keyOf], table.columns.map((column) => row[column])]))
          }
        })
      ),
      Effect.map(() => content.digest())
    )
  })
