import { jsonBytes } from "../../internal/utf8.js"
import * as OversizedText from "../../text/OversizedText.js"
import * as Placeholder from "../../text/Placeholder.js"
import type { NotUnderstood } from "../../text/Syntax.js"
import type { StreamError } from "../Outcome.js"
import type { Learned } from "../ServiceLimits.js"
import * as Batching from "./batching.js"
import * as Row from "./element.js"
import * as messages from "./messages.js"
import type { BatchLimits, Options } from "./options.js"
import { htmlSearchOf, isApart, type Lane, laneOf, notUnderstood, searchOf } from "./reading.js"

export interface Batch<A> extends Batching.Batch<Row.Item<A>> {
  /** The context of its request, instead of its stream's. */
  readonly context: string | undefined
  /** The lane of its texts, where their placeholders keep them apart. @default "plain" */
  readonly lane?: Lane
  /** The number of batches that were answered before the service has failed with these texts among others; `undefined` if it has not. */
  readonly suspectedAt?: number
  /** True if it has the texts that fit into the rest of a budget. */
  readonly isLastOfBudget?: boolean
}

/** Packs texts of one lane with the same context. */
interface Packer<A> extends Batching.Packer<Row.Item<A>> {
  readonly lane: Lane
  /** The number of the batch that is open; 0 if none is. */
  open: number
}

/** The packers of texts with the same context, by their lanes: one at most, unless texts are apart. */
interface Packers<A> {
  readonly context?: string | undefined
  readonly lanes: Map<Lane, Packer<A>>
}

/** No segment is smaller than that. */
const leastBytes = 64

/** The most bytes of a character in a JSON string. */
const escapeBytes = 6

/** The further bytes of `"context"`: `,"context":""`. */
const contextBytes = 13

const flushAll = <A>(packers: Packers<A>): void => {
  for (const packer of packers.lanes.values()) packer.flush()
}

/** Texts in, full batches out: protects placeholders, packs, and cuts texts that are too large for a request. */
export class Packing<A> {
  /** In the order of their sending. An array: the collector keeps a linked list's removed nodes, and with them every batch, for long. */
  readonly packed: Array<Batch<A>> = []
  private readonly packers: Packers<A> = { lanes: new Map() }
  private maxBytes = Number.POSITIVE_INFINITY
  private opened = 0
  private readonly isApart: boolean
  private readonly refuse: ReturnType<typeof notUnderstood>

  constructor(
    private readonly limits: BatchLimits,
    private readonly options: Options,
    private readonly learned: Learned,
    /** A text is too large for a request, and cutting it is not allowed or not possible. */
    private readonly onOversized: (item: Row.Item<A>, bytes: number) => void,
    /** A text holds syntax that is not understood. */
    private readonly onNotUnderstood: (item: Row.Item<A>, error: NotUnderstood) => void
  ) {
    this.isApart = isApart(options)
    this.refuse = notUnderstood(options, "fail")
    this.lower(options.maxBytes ?? this.maxBytes)
  }

  /** The number of the open batch; 0 if none is open. */
  get openBatch(): number {
    let least = 0
    for (const { open } of this.packers.lanes.values())
      if (open !== 0 && (least === 0 || open < least)) least = open
    return least
  }

  add(item: Row.Item<A>, packers = this.packers): void {
    this.lower(this.learned.maxBytes())
    const { text } = item
    const error = item.again === undefined ? this.refuse?.(text) : undefined
    if (error !== undefined) {
      this.onNotUnderstood(item, error)
      return
    }
    const lane = this.isApart ? laneOf(text, this.options) : "plain"
    const packer = this.packerOf(lane, packers)
    if (this.options.placeholders === undefined || (this.isApart && lane === "plain")) {
      packer.offer(item, text)
      return
    }
    if (lane === "html") {
      const kept = Placeholder.protect(text, htmlSearchOf(this.options))
      packer.offer({ ...item, kept, isHtml: true }, kept.text)
      return
    }
    const message = messages.parse(text, this.options)
    const sentences = message && messages.split(message, this.options)
    if (sentences !== undefined && sentences.texts.length > 0) {
      for (const part of Row.split(item, sentences)) packer.offer(part, Row.ownTextOf(part))
      return
    }
    const kept = Placeholder.protect(text, searchOf(this.options))
    packer.offer({ ...item, kept }, kept.text)
  }

  /** Packs texts that are sent once more, beside no others. */
  addAgain(items: ReadonlyArray<Row.Item<A>>): void {
    const packers: Packers<A> = { lanes: new Map() }
    for (const item of items) {
      if (item.again?.isAlone === true) this.addAlone(item, item.again.neighbours)
      else this.add(item, packers)
    }
    flushAll(packers)
  }

  /** Packs a text in a request of its own, with its neighbours as context if they leave half of it to the text. */
  private addAlone(item: Row.Item<A>, neighbours: ReadonlyArray<string>): void {
    const context = neighbours.length === 0 ? undefined : this.contextWith(neighbours.join("\n"))
    const isRoomy = 2 * this.overheadOf(context, this.isApart ? "html" : "plain") < this.limits.maxBytes
    const packers: Packers<A> = { context: isRoomy ? context : undefined, lanes: new Map() }
    this.add(item, packers)
    flushAll(packers)
  }

  next(): Batch<A> | undefined {
    return this.packed.shift()
  }

  /** Closes the batches that are not full. */
  flush(): void {
    flushAll(this.packers)
  }

  /** Everything that was not sent. */
  drain(): ReadonlyArray<Batch<A>> {
    this.flush()
    return this.packed.splice(0)
  }

  /**
   * Packs a batch again that was refused, or that the service fails with, in other requests, after `answered` answers;
   * `false` if it can't be.
   */
  resend(refused: Batch<A>, error: StreamError, answered: number): boolean {
    const batch = { ...refused, isLastOfBudget: false }
    if (error._tag === "ServerError") return this.suspect(batch, answered)
    if (error._tag !== "PayloadTooLarge") return this.halve(batch)
    this.learned.refuse(batch.bytes)
    return this.shrink(batch)
  }

  /** Packs a refused batch again, as two that are sent before all others; a single text can't be halved. */
  private halve(batch: Batch<A>): boolean {
    if (batch.items.length < 2) return false
    this.packed.unshift(...Batching.divide(batch, Math.ceil(batch.items.length / 2)))
    return true
  }

  /**
   * Packs a batch again that the service fails with: in parts first, then each text of a part alone. Halves would take more steps, of which
   * each may be billed. They are sent after all others: answers meanwhile show that the service is there.
   */
  private suspect(batch: Batch<A>, answered: number): boolean {
    const texts = batch.items.length
    if (texts < 2) return false
    const { suspectedAt } = batch
    const size = suspectedAt === undefined ? Math.floor(Math.sqrt(texts)) : 1
    this.packed.push(...Batching.divide({ ...batch, suspectedAt: suspectedAt ?? answered }, size))
    return true
  }

  /** Packs a batch again that was refused as too large: a single text is cut. */
  private shrink(batch: Batch<A>): boolean {
    const { bytes, context, items, lane = "plain" } = batch
    this.lower(this.learned.maxBytes())
    const [item] = items
    if (items.length > 1) return this.halve(batch)
    const isRecut = (this.options.segmentContext ?? 0) > 0
    const most = Math.floor((bytes - this.overheadOf(isRecut ? undefined : context, lane)) / 2)
    const packers: Packers<A> = context === undefined ? this.packers : { context, lanes: new Map() }
    const isCut = this.cut(item!, most, this.packerOf(lane, packers))
    if (context !== undefined) flushAll(packers)
    return isCut
  }

  /** Puts batches before all others. */
  prepend(batches: ReadonlyArray<Batch<A>>): void {
    this.packed.unshift(...batches)
  }

  private packerOf(lane: Lane, { context, lanes }: Packers<A>): Packer<A> {
    const known = lanes.get(lane)
    if (known !== undefined) return known
    const packer = this.makePacker(context, lane)
    lanes.set(lane, packer)
    return packer
  }

  private makePacker(context: string | undefined, lane: Lane): Packer<A> {
    const { maxBytes } = this.limits
    const overheadBytes = this.overheadOf(context, lane)
    const inner = Batching.makePacker<Row.Item<A>>({ ...this.limits, overheadBytes }, (next) => {
      if (next._tag === "Batch") {
        packer.open = 0
        this.packed.push({ ...next, context, lane })
      } else if (!this.cut(next.item, maxBytes - overheadBytes, packer)) {
        this.onOversized(next.item, next.bytes)
      }
    })
    inner.lower(this.maxBytes)
    const packer: Packer<A> = {
      ...inner,
      offer: (item, text) => {
        inner.offer(item, text)
        if (packer.open === 0 && inner.isOpen()) packer.open = ++this.opened
      },
      lane,
      open: 0
    }
    return packer
  }

  /** Takes note of the largest body: as the options say, or as this stream or another has learned. */
  private lower(maxBytes: number): void {
    if (maxBytes >= this.maxBytes) return
    this.maxBytes = maxBytes
    for (const packer of this.packers.lanes.values()) packer.lower(maxBytes)
  }

  /** Packs the segments of a text; `false` if the text can't be cut. */
  private cut(item: Row.Item<A>, most: number, packer: Packer<A>): boolean {
    const { oversized, placeholders, segmentContext = 0, sourceLang } = this.options
    const maxBytes = segmentContext === 0 ? most : most - escapeBytes * segmentContext - contextBytes
    if (oversized === "fail" || maxBytes < leastBytes) return false
    const segments = OversizedText.split(item.kept?.text ?? Row.ownTextOf(item), {
      maxBytes,
      locale: sourceLang,
      unbreakable:
        placeholders && (item.kept !== undefined || !this.isApart) ? Placeholder.unbreakable : undefined
    })
    if (segments.length < 2) return false
    const parts = Row.split(item, {
      texts: segments.map(({ text }) => text),
      join: (translations) => ({ text: OversizedText.join(segments, translations), lost: undefined })
    })
    parts.forEach((part, index) => {
      if (segmentContext === 0) packer.offer(part, segments[index]!.text)
      else this.packed.push(this.withNeighbours(part, segments, index, packer.lane))
    })
    return true
  }

  /** A segment in a request of its own, with its neighbours as context. */
  private withNeighbours(
    part: Row.Item<A>,
    segments: ReadonlyArray<OversizedText.Segment>,
    index: number,
    lane: Lane
  ): Batch<A> {
    const { text } = segments[index]!
    const context = this.contextWith(OversizedText.context(segments, index, this.options.segmentContext ?? 0))
    const bytes = this.overheadOf(context, lane) + jsonBytes(text)
    return { _tag: "Batch", items: [part], texts: [text], bytes, context, lane }
  }

  /** The context beside a text: the text's neighbours behind the context of the options. */
  private contextWith(neighbours: string): string {
    const { context } = this.options
    return context === undefined ? neighbours : `${context}\n${neighbours}`
  }

  /** Bytes of a body without its texts. */
  private overheadOf(context: string | undefined, lane: Lane): number {
    const { context: given } = this.options
    const { furtherBytes, overheadBytes } = this.limits
    const own = overheadBytes + (lane === "plain" ? 0 : (furtherBytes?.[lane] ?? 0))
    if (context === undefined) return own
    const counted = given === undefined ? 2 - contextBytes : jsonBytes(given)
    return own + jsonBytes(context) - counted
  }
}
