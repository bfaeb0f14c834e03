import type * as Row from "./row.js"

/**
 * The rows between the source and the consumer. It bounds memory by the concurrency alone: twice the batches in
 * flight, so that a slow batch at the head does not idle the workers behind it.
 */
export interface Window<A> {
  readonly hasRoom: () => boolean
  readonly isEmpty: () => boolean
  readonly add: (row: Row.Row<A>) => void
  /** A row got the answer to its last text. */
  readonly complete: (row: Row.Row<A>) => void
  /** Whether any row may leave now. */
  readonly canTake: () => boolean
  /** The rows that may leave now. */
  readonly take: () => ReadonlyArray<Row.Row<A>>
}

/** Rows without texts are small, so many of them may wait behind a text. */
const rowsPerBatch = 1000

const sizeOf = ({ texts }: Row.Row<unknown>): number => {
  let size = 0
  for (const text of texts) size += text?.length ?? 0
  return size
}

interface Options {
  readonly concurrency: number
  readonly ordered: boolean
  readonly maxTexts: number
  readonly maxBytes: number
}

export const make = <A>(options: Options): Window<A> => {
  const batches = 2 * options.concurrency + 2
  let rows = 0
  let texts = 0
  let size = 0
  const waiting: Array<Row.Row<A>> = []
  const completed: Array<Row.Row<A>> = []

  const leaving = () => {
    if (!options.ordered) return completed.splice(0)
    const pending = waiting.findIndex((row) => !row.isComplete)
    return waiting.splice(0, pending === -1 ? waiting.length : pending)
  }

  return {
    hasRoom: () =>
      rows < batches * rowsPerBatch &&
      texts < batches * options.maxTexts &&
      size < batches * options.maxBytes,
    isEmpty: () => rows === 0,
    canTake: () => (options.ordered ? waiting.length > 0 && waiting[0]!.isComplete : completed.length > 0),
    add: (row) => {
      rows++
      texts += row.texts.length - row.skipped
      size += sizeOf(row)
      if (options.ordered) waiting.push(row)
    },
    complete: (row) => {
      if (!options.ordered) completed.push(row)
    },
    take: () => {
      const taken = leaving()
      for (const row of taken) {
        rows--
        texts -= row.texts.length - row.skipped
        size -= sizeOf(row)
      }
      return taken
    }
  }
}
