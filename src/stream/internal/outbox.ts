import type * as Text from "../../api/Text.js"
import * as Batching from "../Batching.js"
import * as Placeholder from "../Placeholder.js"
import * as Segmenter from "../Segmenter.js"
import * as Row from "./row.js"

/** A batch, with what it is sent with instead of the options of the stage. */
export interface Batch<A> extends Batching.Batch<Row.Slot<A>> {
  readonly instead?: Partial<Text.TranslateOptions> | undefined
}

/** How a text that is too large for one request is cut. */
export interface Segments {
  readonly locale: string | undefined
  /** The context of the stage, and how many characters of its neighbours go with a segment. */
  readonly context: string | undefined
  readonly contextCharacters: number
}

export interface Options {
  readonly overheadBytes: number
  readonly maxBytes: number
  readonly maxTexts: number
  /** Without, a text that is too large fails. */
  readonly segments: Segments | undefined
  /** What is protected from translation, and the options that bring a text through without that. */
  readonly placeholders:
    | { readonly options: Placeholder.Options; readonly unprotected: Partial<Text.TranslateOptions> }
    | undefined
}

/** What is to be sent next. */
export interface Outbox<A> {
  readonly offer: (slot: Row.Slot<A>, text: string) => void
  /** Offers a text once more, as it came. */
  readonly offerUnprotected: (slot: Row.Slot<A>) => void
  /** Closes the batches that are not full. */
  readonly flush: () => void
  readonly isEmpty: () => boolean
  readonly next: () => Batch<A> | undefined
  /** The service took a body. */
  readonly accept: (batch: Batch<A>) => void
  /** Sends a refused batch again in two halves, before anything else. */
  readonly halve: (batch: Batch<A>) => void
  /**
   * The service refused a body as too large, so there is none as large from now on, unless it took a larger one before.
   * Answers whether it held a single text that was cut.
   */
  readonly shrink: (batch: Batch<A>) => boolean
  /** All that is not sent. */
  readonly drain: () => ReadonlyArray<Batch<A>>
}

/** How much of a body that was refused as too large the next ones may have. */
const learnedShare = 0.9

/** No segment is smaller than that. */
const leastBytes = 64

/** The most bytes of a character in a JSON string. */
const escapeBytes = 6

/** What `"context"` takes besides: `,"context":""`. */
const contextBytes = 13

export const make = <A>(
  options: Options,
  onOversized: (slot: Row.Slot<A>, bytes: number) => void
): Outbox<A> => {
  const { maxBytes, overheadBytes, placeholders, segments } = options
  const again: Array<Batch<A>> = []
  // Arrays, not queues: the dead nodes of a linked list make the collector keep every batch for long.
  const packed: Array<Batch<A>> = []
  const packers: Array<Batching.Packer<Row.Slot<A>>> = []
  let largest = 0

  const addPacker = (instead?: Partial<Text.TranslateOptions>) => {
    const packer = Batching.makePacker<Row.Slot<A>>(options, (next) => {
      if (next._tag === "Batch") packed.push(instead === undefined ? next : { ...next, instead })
      else if (!cut(next.item, maxBytes - overheadBytes, packer, instead)) onOversized(next.item, next.bytes)
    })
    packers.push(packer)
    return packer
  }
  const packer = addPacker()
  const unprotected = placeholders === undefined ? packer : addPacker(placeholders.unprotected)

  const cut = (
    slot: Row.Slot<A>,
    most: number,
    into: Batching.Packer<Row.Slot<A>>,
    instead: Partial<Text.TranslateOptions> | undefined
  ): boolean => {
    if (segments === undefined) return false
    const { context, contextCharacters, locale } = segments
    const room = contextCharacters === 0 ? most : most - escapeBytes * contextCharacters - contextBytes
    if (room < leastBytes) return false
    const kept = "row" in slot ? slot.kept : undefined
    const found = Segmenter.split(kept?.text ?? Row.textOf(slot), {
      maxBytes: room,
      locale,
      ...(placeholders === undefined ? {} : { whole: Placeholder.whole })
    })
    if (found.length < 2) return false
    for (const part of Row.split(slot, found)) {
      const { text } = found[part.part]!
      if (contextCharacters === 0) {
        into.offer(part, text)
        continue
      }
      const neighbours = Segmenter.context(found, part.part, contextCharacters)
      const whole = context === undefined ? neighbours : `${context}\n${neighbours}`
      const known = context === undefined ? 2 - contextBytes : Batching.jsonBytes(context)
      packed.push({
        _tag: "Batch",
        items: [part],
        texts: [text],
        bytes: overheadBytes + Batching.jsonBytes(text) + Batching.jsonBytes(whole) - known,
        instead: { ...instead, context: whole }
      })
    }
    return true
  }

  return {
    offer: (slot, text) => {
      if (placeholders === undefined) return packer.offer(slot, text)
      const kept = Placeholder.protect(text, placeholders.options)
      packer.offer(Row.keeping(slot, kept), kept.text)
    },
    offerUnprotected: (slot) => unprotected.offer(Row.keeping(slot, undefined), Row.textOf(slot)),
    flush: () => {
      for (const packer of packers) packer.flush()
    },
    isEmpty: () => again.length === 0 && packed.length === 0,
    next: () => again.shift() ?? packed.shift(),
    accept: ({ bytes }) => {
      largest = Math.max(largest, bytes)
    },
    halve: (batch) => {
      const { instead } = batch
      again.unshift(...Batching.halve(batch, options).map((half) => ({ ...half, instead })))
    },
    shrink: ({ bytes, instead, items }) => {
      const learned = Math.max(Math.floor(bytes * learnedShare), largest)
      for (const packer of packers) packer.lower(learned)
      const into = instead === undefined ? packer : unprotected
      return items.length === 1 && cut(items[0]!, Math.floor((bytes - overheadBytes) / 2), into, instead)
    },
    drain: () => [...again.splice(0), ...packed.splice(0)]
  }
}
