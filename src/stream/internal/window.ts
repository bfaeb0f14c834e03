import type { Row } from "./element.js"
import type { Permits } from "./permits.js"

/** Rows without texts are small, so many of them may wait behind a text. */
const rowsPerBatch = 1000

const sizeOf = ({ texts }: Row<unknown>): number => {
  let size = 0
  // A value that is no text may have a length that is no number.
  for (const text of texts) if (typeof text === "string") size += text.length
  return size
}

interface Options {
  readonly ordered: boolean
  readonly maxTexts: number
  readonly maxBytes: number
  readonly permits: Pick<Permits, "concurrency" | "parked">
}

/**
 * The rows between the source and the consumer. It bounds memory by the concurrency alone: by twice the batches in
 * flight and two, so that a slow batch at the head does not idle the workers behind it; and one for each that is parked.
 */
export class Window<A> {
  private rows = 0
  private texts = 0
  private size = 0
  /** In order all rows, else the complete ones. */
  private readonly queue: Array<Row<A>> = []

  constructor(private readonly options: Options) {}

  get hasRoom(): boolean {
    const { maxBytes, maxTexts, permits } = this.options
    const batches = 2 * permits.concurrency + 2 + permits.parked
    return (
      this.rows < batches * rowsPerBatch && this.texts < batches * maxTexts && this.size < batches * maxBytes
    )
  }

  get isEmpty(): boolean {
    return this.rows === 0
  }

  /** True if a row may leave now. */
  get canTake(): boolean {
    return this.queue[0]?.isComplete === true
  }

  add(row: Row<A>): void {
    this.rows++
    this.texts += row.texts.length - row.skippedTexts.length
    this.size += sizeOf(row)
    if (this.options.ordered) this.queue.push(row)
  }

  /** Takes note of a row of which every text has its result. Equal texts of a row end together: it counts once. */
  complete(row: Row<A>): void {
    if (row.isComplete || row.pending > 0) return
    row.isComplete = true
    if (!this.options.ordered) this.queue.push(row)
  }

  /** The rows that may leave now. */
  take(): ReadonlyArray<Row<A>> {
    const pending = this.queue.findIndex((row) => !row.isComplete)
    const taken = this.queue.splice(0, pending === -1 ? this.queue.length : pending)
    for (const row of taken) {
      this.rows--
      this.texts -= row.texts.length - row.skippedTexts.length
      this.size -= sizeOf(row)
    }
    return taken
  }
}
