import type { AcceptedDocument, Counts, Meter } from "../Meter.js"

interface MutableCounts {
  requests: number
  texts: number
  characters: number
  uploads: number
  downloads: number
  bytesReceived: number
  readonly statuses: { [status: number]: number }
}

const zero = (): MutableCounts => ({
  requests: 0,
  texts: 0,
  characters: 0,
  uploads: 0,
  downloads: 0,
  bytesReceived: 0,
  statuses: {}
})

const copy = (counts: MutableCounts): Counts => ({ ...counts, statuses: { ...counts.statuses } })

/** Counts requests. All methods are synchronous, so no fiber sees an intermediate state. */
export class MeterState {
  readonly total = zero()
  readonly keys = new Map<string, MutableCounts>()
  private readonly documents = new Map<string, AcceptedDocument>()
  faults = 0
  inFlight = 0
  maxConcurrent = 0

  add(key: string): void {
    this.keys.set(key, zero())
  }

  arrive(key: string | undefined): void {
    this.inFlight++
    this.maxConcurrent = Math.max(this.maxConcurrent, this.inFlight)
    this.each(key, (counts) => counts.requests++)
  }

  receive(key: string | undefined, bytes: number): void {
    this.each(key, (counts) => {
      counts.bytesReceived += bytes
    })
  }

  bill(key: string, texts: number, characters: number): void {
    this.each(key, (counts) => {
      counts.texts += texts
      counts.characters += characters
    })
  }

  upload(key: string, document: Omit<AcceptedDocument, "isDownloaded">): void {
    const { documentId, fileName, targetLang } = document
    this.documents.set(documentId, { documentId, fileName, targetLang, isDownloaded: false })
    this.each(key, (counts) => counts.uploads++)
  }

  download(key: string, documentId: string): void {
    this.documents.set(documentId, { ...this.documents.get(documentId)!, isDownloaded: true })
    this.each(key, (counts) => counts.downloads++)
  }

  answer(key: string | undefined, status: number): void {
    this.each(key, (counts) => {
      counts.statuses[status] = (counts.statuses[status] ?? 0) + 1
    })
  }

  snapshot(): Meter {
    return {
      ...copy(this.total),
      keys: Object.fromEntries(Array.from(this.keys, ([key, counts]) => [key, copy(counts)])),
      documents: Array.from(this.documents.values()),
      faults: this.faults,
      maxConcurrent: this.maxConcurrent
    }
  }

  private each(key: string | undefined, change: (counts: MutableCounts) => void): void {
    change(this.total)
    const counts = key === undefined ? undefined : this.keys.get(key)
    if (counts !== undefined) change(counts)
  }
}
