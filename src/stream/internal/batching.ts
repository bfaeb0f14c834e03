/** Packs texts into as few requests as the limits allow: exactly, by the bytes of the JSON body as it will be sent. */
import * as ApiLimits from "../../api/Limits.js"
import { jsonBytes } from "../../internal/utf8.js"

/** The limits of one request. */
export interface Limits {
  /** Bytes of the body without its texts: all but those between the brackets of `"text":[]`. */
  readonly overheadBytes: number
  /** Most bytes of a body. @default 131072 */
  readonly maxBytes?: number | undefined
  /** Most texts of a request. @default 50 */
  readonly maxTexts?: number | undefined
}

/** Items whose texts go into one request, in the order they came. */
export interface Batch<A> {
  readonly _tag: "Batch"
  readonly items: ReadonlyArray<A>
  readonly texts: ReadonlyArray<string>
  /** Bytes of the whole body. */
  readonly bytes: number
}

/** An item whose text fits into no request. */
export interface Oversized<A> {
  readonly _tag: "Oversized"
  readonly item: A
  /** Bytes of a body with nothing but this text. */
  readonly bytes: number
}

/** The results of packing. */
export type Packed<A> = Batch<A> | Oversized<A>

/** Packs items one by one. A batch is handed out as soon as it is full or the next text does not fit. */
export interface Packer<A> {
  /** Adds an item. An oversized one is handed out at once and leaves the open batch as it is. */
  readonly offer: (item: A, text: string) => void
  /** Returns `true` if there is an open batch. */
  readonly isOpen: () => boolean
  /** Hands out the open batch, if there is one. */
  readonly flush: () => void
  /** Makes no larger batches from now on. A text that takes more by itself still goes out alone. */
  readonly lower: (maxBytes: number) => void
}

/** A packer that hands out its batches through a function. */
export const makePacker = <A>(limits: Limits, onPacked: (packed: Packed<A>) => void): Packer<A> => {
  const {
    maxBytes = ApiLimits.translateBodyBytes,
    maxTexts = ApiLimits.translateTexts,
    overheadBytes
  } = limits
  let items: Array<A> = []
  let texts: Array<string> = []
  let bytes = overheadBytes
  let fullBytes = maxBytes
  const flush = () => {
    if (items.length === 0) return
    const batch: Batch<A> = { _tag: "Batch", items, texts, bytes }
    items = []
    texts = []
    bytes = overheadBytes
    onPacked(batch)
  }
  const offer = (item: A, text: string) => {
    const added = jsonBytes(text)
    if (overheadBytes + added > maxBytes) {
      onPacked({ _tag: "Oversized", item, bytes: overheadBytes + added })
      return
    }
    if (items.length > 0 && bytes + 1 + added > fullBytes) flush()
    bytes += items.length === 0 ? added : added + 1
    items.push(item)
    texts.push(text)
    if (items.length === maxTexts) flush()
  }
  const lower = (bytes: number) => {
    fullBytes = Math.min(fullBytes, bytes)
  }
  return { offer, isOpen: () => items.length > 0, flush, lower }
}

/** Some of a batch: at least one text. */
export const only = <A, B extends Batch<A>>(batch: B & Batch<A>, isKept: (index: number) => boolean): B => {
  let bytes = batch.bytes
  batch.texts.forEach((text, index) => {
    if (!isKept(index)) bytes -= jsonBytes(text) + 1
  })
  const isOne = (_: unknown, index: number) => isKept(index)
  return { ...batch, items: batch.items.filter(isOne), texts: batch.texts.filter(isOne), bytes }
}

/** A batch in parts of `texts` texts, for a service that refuses the whole, or fails with it. */
export const divide = <A, B extends Batch<A>>(batch: B & Batch<A>, texts: number): ReadonlyArray<B> =>
  Array.from({ length: Math.ceil(batch.texts.length / texts) }, (_, part) =>
    only(batch, (index) => Math.floor(index / texts) === part)
  )
