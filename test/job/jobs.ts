/** Jobs over tables in memory, with the emulator in the process and a store in memory. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type Outcome, TranslationStore } from "effect-translate"
import { Emulator, type Fault } from "effect-translate/emulator"
import { JobSource } from "effect-translate/jobs"
import { once } from "../stream/support.js"
import { emulatedInProcess } from "../support/emulator.js"

export interface Row {
  readonly id: number
  readonly title: string | null
  readonly body?: string | undefined
}

/** Texts without Latin vowels stay as they are in the emulator, with the language in front. */
export const rowsOf = (...titles: ReadonlyArray<string | null>): ReadonlyArray<Row> =>
  titles.map((title, index) => ({ id: index + 1, title }))

export const many = (count: number, prefix = "t"): ReadonlyArray<Row> =>
  rowsOf(...Array.from({ length: count }, (_, index) => `${prefix}${index}`))

export interface TableOptions {
  readonly name?: string | undefined
  /** How many rows are committed at once. */
  readonly group?: number | undefined
  /** Runs before a group is committed. */
  readonly onCommit?:
    | ((targetLang: string, rows: ReadonlyArray<Row>) => Effect.Effect<void, SinkError>)
    | undefined
}

export class SinkError extends Error {
  readonly _tag = "SinkError"
}

/** A table, with a column of translations for each language that its sink commits in groups; it gives the rows that lack one. */
export const table = (
  rows: ReadonlyArray<Row>,
  { group = 2, name = "table", onCommit = () => Effect.void }: TableOptions = {}
) => {
  const columns = new Map<string, Map<number, string | null>>()
  const state = { reads: 0, rowsRead: 0, commits: 0 }
  const column = (targetLang: string) => {
    const found = columns.get(targetLang) ?? new Map<number, string | null>()
    columns.set(targetLang, found)
    return found
  }
  const source = JobSource.rows({
    name,
    rows: Stream.suspend(() => {
      state.reads++
      const written = Array.from(columns.values())
      return Stream.fromIterable(
        rows.filter(({ id }) => written.length === 0 || !written.every((column) => column.has(id)))
      ).pipe(
        Stream.rechunk(2),
        Stream.tap(() =>
          Effect.sync(() => {
            state.rowsRead++
          })
        )
      )
    }),
    key: ({ id }) => String(id),
    fields: ["title"],
    write: (targetLang) => (outcomes) => {
      const translations = column(targetLang)
      return outcomes.pipe(
        Stream.rechunk(group),
        Stream.runForEachChunk((chunk) => {
          const done = Chunk.toReadonlyArray(chunk).filter(
            (outcome: Outcome.Outcome<Row>) => outcome._tag !== "Failed"
          )
          return Effect.map(
            onCommit(
              targetLang,
              done.map(({ source }) => source)
            ),
            () => {
              state.commits++
              for (const { value } of done) translations.set(value.id, value.title)
            }
          )
        })
      )
    }
  })
  return {
    source,
    state,
    column,
    translations: (targetLang: string) => Array.from(column(targetLang).values())
  }
}

/** An emulator in the process, its client and a store. */
export const service = (options?: Emulator.Options) =>
  Layer.merge(emulatedInProcess(options), TranslationStore.layerMemory()).pipe(Layer.orDie)

/** Runs a test on an emulator and a store of its own; what fails is not sent again. */
export const withService = (options?: Emulator.Options) => {
  const layer = service(options)
  return <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.provide(once(test), layer)
}

export const billed = Effect.flatMap(Emulator.Emulator, ({ meter }) =>
  Effect.map(meter, ({ characters }) => characters)
)

export const script = (...faults: ReadonlyArray<Fault.Fault>) =>
  Effect.flatMap(Emulator.Emulator, (emulator) => emulator.script(faults))
