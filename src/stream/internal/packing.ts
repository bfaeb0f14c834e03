import * as Either from "effect/Either"
import type * as Text from "../../api/Text.js"
import { jsonBytes } from "../../internal/jsonBytes.js"
import * as OversizedText from "../../text/OversizedText.js"
import * as Placeholder from "../../text/Placeholder.js"
import type { Learned } from "../ServiceLimits.js"
import * as Batching from "./batching.js"
import * as Row from "./element.js"
import * as messages from "./messages.js"
import type { BatchLimits, Options } from "./options.js"

/** Options of the request that a batch needs instead of those of its stream. */
type Overrides = Partial<Text.TranslateOptions>

export interface Batch<A> extends Batching.Batch<Row.Item<A>> {
  readonly overrides: Overrides | undefined
}

/** Packs with the same overrides. */
interface Packer<A> extends Batching.Packer<Row.Item<A>> {
  readonly overrides: Overrides | undefined
  /** The number of the batch that is open; 0 if none is. */
  open: number
}

/** No segment is smaller than that. */
const leastBytes = 64

/** The most bytes of a character in a JSON string. */
const escapeBytes = 6

/** What `"context"` takes besides: `,"context":""`. */
const contextBytes = 13

/** Texts in, full batches out: protects placeholders, packs, and cuts what is too large for a request. */
export class Packing<A> {
  /** In the order of their sending. An array: the collector keeps a linked list's removed nodes, and with them every batch, for long. */
  private readonly packed: Array<Batch<A>> = []
  private readonly packers: Array<Packer<A>> = []
  private readonly packer: Packer<A>
  private readonly unprotected: Packer<A>
  private maxBytes = Number.POSITIVE_INFINITY
  private opened = 0

  constructor(
    private readonly limits: BatchLimits,
    private readonly options: Options,
    private readonly learned: Learned,
    /** A text is too large for a request, and cutting it is not allowed or not possible. */
    private readonly onOversized: (item: Row.Item<A>, bytes: number) => void
  ) {
    this.packer = this.makePacker(undefined)
    this.unprotected =
      options.placeholders === undefined
        ? this.packer
        : this.makePacker({ tagHandling: options.tagHandling, ignoreTags: options.ignoreTags })
    this.lower(options.maxBytes ?? this.maxBytes)
  }

  get isEmpty(): boolean {
    return this.packed.length === 0
  }

  /** The number of the open batch that was begun first; 0 if none is open. */
  get openBatch(): number {
    const { packer, unprotected } = this
    return packer.open === 0 || unprotected.open === 0
      ? packer.open + unprotected.open
      : Math.min(packer.open, unprotected.open)
  }

  add(item: Row.Item<A>): void {
    this.lower(this.learned.maxBytes())
    const text = Row.textOf(item)
    if (this.options.placeholders === undefined) {
      this.packer.offer(item, text)
      return
    }
    const message = messages.parse(text, this.options)
    const sentences = message && messages.split(message, this.options)
    if (sentences !== undefined && sentences.texts.length > 0) {
      for (const part of Row.split(item, sentences)) this.packer.offer(part, Row.ownTextOf(part))
      return
    }
    const kept = Placeholder.protect(text, messages.searchOf(this.options))
    this.packer.offer({ ...item, kept }, kept.text)
  }

  /** Adds a text as it is, without protection; `false` for a message, of which a translator would spoil the syntax. */
  addUnprotected(item: Row.Item<A>): boolean {
    const text = Row.textOf(item)
    if (messages.parse(text, this.options) !== undefined) return false
    this.unprotected.offer({ ...item, kept: undefined }, text)
    return true
  }

  next(): Batch<A> | undefined {
    return this.packed.shift()
  }

  /** Closes the batches that are not full. */
  flush(): void {
    for (const packer of this.packers) packer.flush()
  }

  /** Everything that was not sent. */
  drain(): ReadonlyArray<Batch<A>> {
    this.flush()
    return this.packed.splice(0)
  }

  /** Packs a refused batch again, as two that are sent before all others; a single text can't be halved. */
  halve(batch: Batch<A>): boolean {
    if (batch.items.length < 2) return false
    this.packed.unshift(...Batching.halve(batch))
    return true
  }

  /** Packs a batch again that was refused as too large: a single text is cut. */
  shrink(batch: Batch<A>): boolean {
    const { bytes, items, overrides } = batch
    this.lower(this.learned.maxBytes())
    const [item] = items
    const most = Math.floor((bytes - this.limits.overheadBytes) / 2)
    const packer = overrides === undefined ? this.packer : this.unprotected
    return (items.length === 1 && this.cut(item!, most, { ...packer, overrides })) || this.halve(batch)
  }

  private makePacker(overrides: Overrides | undefined): Packer<A> {
    const { maxBytes, overheadBytes } = this.limits
    const inner = Batching.makePacker<Row.Item<A>>(this.limits, (next) => {
      if (next._tag === "Batch") {
        packer.open = 0
        this.packed.push({ ...next, overrides })
      } else if (!this.cut(next.item, maxBytes - overheadBytes, packer)) {
        this.onOversized(next.item, next.bytes)
      }
    })
    const packer: Packer<A> = {
      ...inner,
      offer: (item, text) => {
        inner.offer(item, text)
        if (packer.open === 0 && inner.isOpen()) packer.open = ++this.opened
      },
      overrides,
      open: 0
    }
    this.packers.push(packer)
    return packer
  }

  /** Takes note of the largest body: as the options say, or as this stream or another has learned. */
  private lower(maxBytes: number): void {
    if (maxBytes >= this.maxBytes) return
    this.maxBytes = maxBytes
    for (const packer of this.packers) packer.lower(maxBytes)
  }

  /** Packs the segments of a text; `false` if the text can't be cut. */
  private cut(item: Row.Item<A>, most: number, packer: Packer<A>): boolean {
    const { oversized, placeholders, segmentContext = 0, sourceLang } = this.options
    const maxBytes = segmentContext === 0 ? most : most - escapeBytes * segmentContext - contextBytes
    if (oversized === "fail" || maxBytes < leastBytes) return false
    const segments = OversizedText.split(item.kept?.text ?? Row.ownTextOf(item), {
      maxBytes,
      locale: sourceLang,
      unbreakable: placeholders && Placeholder.unbreakable
    })
    if (segments.length < 2) return false
    const parts = Row.split(item, {
      texts: segments.map(({ text }) => text),
      join: (translations) => Either.right(OversizedText.join(segments, translations))
    })
    parts.forEach((part, index) => {
      if (segmentContext === 0) packer.offer(part, segments[index]!.text)
      else this.packed.push(this.withNeighbours(part, segments, index, packer.overrides))
    })
    return true
  }

  /** A segment in a request of its own, with its neighbours as context. */
  private withNeighbours(
    part: Row.Item<A>,
    segments: ReadonlyArray<OversizedText.Segment>,
    index: number,
    overrides: Overrides | undefined
  ): Batch<A> {
    const { context: given, segmentContext = 0 } = this.options
    const { text } = segments[index]!
    const neighbours = OversizedText.context(segments, index, segmentContext)
    const context = given === undefined ? neighbours : `${given}\n${neighbours}`
    const counted = given === undefined ? 2 - contextBytes : jsonBytes(given)
    return {
      _tag: "Batch",
      items: [part],
      texts: [text],
      bytes: this.limits.overheadBytes + jsonBytes(text) + jsonBytes(context) - counted,
      overrides: { ...overrides, context }
    }
  }
}
