import type { Row } from "./element.js"

/** Rows without texts are small, so many of them may wait behind a text. */
const rowsPerBatch = 1000

const sizeOf = ({ texts }: Row<unknown>): number => {
  let size = 0
  // A value that is no text may have a length that is no number.
  for (const text of texts) if (typeof text === "string") size += text.length
  return size
}

interface Options {
  readonly concurrency: number
  readonly ordered: boolean
  readonly maxTexts: number
  readonly maxBytes: number
}

/**
 * The rows between the source and the consumer. It bounds memory by the concurrency alone: by twice the batches in
 * flight and two, so that a slow batch at the head does not idle the workers behind it.
 */
export class Window<A> {
  private rows = 0
  private texts = 0
  private size = 0
  /** The number of batches that fit in. */
  batches: number
  private readonly waiting: Array<Row<A>> = []
  private readonly completed: Array<Row<A>> = []

  constructor(private readonly options: Options) {
    this.batches = 2 * options.concurrency + 2
  }

  get hasRoom(): boolean {
    return (
      this.rows < this.batches * rowsPerBatch &&
      this.texts < this.batches * this.options.maxTexts &&
      this.size < this.batches * this.options.maxBytes
    )
  }

  get isEmpty(): boolean {
    return this.rows === 0
  }

  /** True if a row may leave now. */
  get canTake(): boolean {
    return this.options.ordered ? this.waiting[0]?.isComplete === true : this.completed.length > 0
  }

  add(row: Row<A>): void {
    this.rows++
    this.texts += row.texts.length - row.skippedTexts.length
    this.size += sizeOf(row)
    if (this.options.ordered) this.waiting.push(row)
  }

  /** Takes note of a row of which every text has its result. Equal texts of a row end together: it counts once. */
  complete(row: Row<A>): void {
    if (row.isComplete || row.pending > 0) return
    row.isComplete = true
    if (!this.options.ordered) this.completed.push(row)
  }

  /** The rows that may leave now. */
  take(): ReadonlyArray<Row<A>> {
    const taken = this.leaving()
    for (const row of taken) {
      this.rows--
      this.texts -= row.texts.length - row.skippedTexts.length
      this.size -= sizeOf(row)
    }
    return taken
  }

  private leaving(): ReadonlyArray<Row<A>> {
    if (!this.options.ordered) return this.completed.splice(0)
    const pending = this.waiting.findIndex((row) => !row.isComplete)
    return this.waiting.splice(0, pending === -1 ? this.waiting.length : pending)
  }
}
