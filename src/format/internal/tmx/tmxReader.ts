import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import { concat } from "../../../internal/bytes.js"
import * as xmlReader from "../../../internal/xmlReader.js"
import type { Problem } from "../../Format.js"
import { type Batch, fromBytes, maxLength, type TextReader, type Transducer } from "../transducer.js"
import { checkEncoding } from "../xml/xmlCharset.js"
import { languageOf } from "./tmxParts.js"

/**
 * The texts of a translation memory that say the same.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  /** The `tuid`. */
  readonly id?: string | undefined
  /** Texts by their languages, as the file writes those: two or more. */
  readonly texts: Readonly<Record<string, string>>
  /** The source language of the unit or the header, unless it is `*all*`. */
  readonly sourceLang?: string | undefined
  /** The `prop` elements of the unit, by their types; the first of each. */
  readonly properties?: Readonly<Record<string, string>> | undefined
  /** All notes, one on a line. */
  readonly note?: string | undefined
  /** The `creationdate`, to the second. */
  readonly created?: Date | undefined
}

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** Elements with code of the file that a text is from. */
const nativeCodes = new Set(["bpt", "ept", "it", "ph", "ut"])

/** A time as TMX writes it, such as `20260131T235900Z`. */
const parseDate = (text: string | undefined): Date | undefined => {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? "")
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second] = match
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const sourceOf = (language: string | undefined): string | undefined =>
  language === "*all*" ? undefined : language

/** Builds entries from the events of a parser of XML. */
class Builder implements TextReader<Batch<Entry, Problem>> {
  private readonly path: Array<string> = []
  private entries: Array<Entry> = []
  private problem: Problem | undefined
  /** The entry that is open. */
  private entry: Mutable<Omit<Entry, "texts">> | undefined
  private texts = new Map<string, string>()
  private notes: Array<string> = []
  private properties = new Map<string, string>()
  /** The type of the `prop` that is open. */
  private property: string | undefined
  /** The source language in the header. */
  private sourceLang: string | undefined
  private language: string | undefined
  private text = ""
  /** The number of open elements with native code. */
  private native = 0
  /** The length of the input since the last place that was remembered, in UTF-16 units. */
  private held = 0

  private readonly reader = xmlReader.make(
    {},
    {
      xmldecl: ({ encoding }) => {
        const checked = checkEncoding(encoding)
        if (Either.isLeft(checked)) this.problem ??= checked.left
      },
      opentag: (tag) => this.onOpen(tag),
      closetag: ({ name }) => this.onClose(name),
      text: (text) => this.onContent(text),
      cdata: (text) => this.onContent(text)
    }
  )

  onText(piece: string): void {
    this.held += piece.length
    this.check(this.reader.read(piece))
    if (this.held > maxLength) {
      this.report(
        `a translation unit has more than ${maxLength} characters, or the file is not TMX: split it.`
      )
    }
  }

  private check(read: ReturnType<xmlReader.Reader["end"]>): void {
    if (Either.isLeft(read)) this.report(read.left.message)
  }

  onMalformed(): void {
    this.report("there are bytes that are not of the file's encoding: save the file as UTF-8.")
  }

  onEnd(): void {
    this.check(this.reader.end())
  }

  hasProblem(): boolean {
    return this.problem !== undefined
  }

  flush(): Batch<Entry, Problem> {
    const values = this.entries
    this.entries = []
    return { values, problem: this.problem }
  }

  private report(message: string): void {
    const { column, line } = this.reader
    this.problem ??= { line, column, message }
  }

  private onOpen({ attributes, name }: xmlReader.Tag): void {
    this.path.push(name)
    if (this.path.length === 1 && name !== "tmx") {
      this.report("the file is not TMX: its root element has to be <tmx>.")
    }
    if (name === "tu") this.begin(attributes)
    else if (name === "header") this.sourceLang = sourceOf(attributes.srclang)
    else if (name === "tuv") {
      this.language = languageOf((attribute) => attributes[attribute])
    } else if (name === "seg" || name === "note" || name === "prop") {
      this.text = ""
      this.property = attributes.type
    } else if (nativeCodes.has(name)) {
      this.native++
    }
    if (this.entry === undefined) this.held = 0
  }

  private begin({ creationdate, srclang, tuid }: xmlReader.Tag["attributes"]): void {
    const created = parseDate(creationdate)
    const sourceLang = srclang === undefined ? this.sourceLang : sourceOf(srclang)
    this.entry = {
      ...(tuid !== undefined && { id: tuid }),
      ...(sourceLang !== undefined && { sourceLang }),
      ...(created && { created })
    }
    this.texts = new Map()
    this.notes = []
    this.properties = new Map()
    this.language = undefined
  }

  private onContent(text: string): void {
    if (this.entry !== undefined && this.native === 0) this.text += text
  }

  private onClose(name: string): void {
    this.path.pop()
    if (nativeCodes.has(name)) this.native--
    if (this.entry === undefined) {
      this.held = 0
      return
    }
    if (name === "seg" && this.language !== undefined && !this.texts.has(this.language)) {
      this.texts.set(this.language, this.text)
    } else if (name === "note") {
      const note = this.text.trim()
      if (note !== "") this.notes.push(note)
    } else if (name === "prop" && this.path.at(-1) === "tu") {
      const type = this.property ?? ""
      if (!this.properties.has(type)) this.properties.set(type, this.text)
    } else if (name === "tu") {
      if (this.texts.size > 1 && this.problem === undefined) {
        const note = this.notes.length === 0 ? {} : { note: this.notes.join("\n") }
        const properties =
          this.properties.size === 0 ? {} : { properties: Object.fromEntries(this.properties) }
        this.entries.push({ ...this.entry, texts: Object.fromEntries(this.texts), ...properties, ...note })
      }
      this.entry = undefined
      this.held = 0
    }
  }
}

const utf16Of = (bytes: Uint8Array): string | undefined =>
  bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
      ? "utf-16be"
      : undefined

/** Feeds a reader from bytes of UTF-16. */
const fromUtf16 = <O>(reader: TextReader<O>, encoding: string): Transducer<Uint8Array, O> => {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const read = (decode: () => string) => {
    const text = Either.try(decode)
    if (Either.isLeft(text)) reader.onMalformed()
    else reader.onText(text.right)
  }
  return {
    push: (input) => {
      for (const bytes of Chunk.toReadonlyArray(input)) {
        if (!reader.hasProblem()) read(() => decoder.decode(bytes, { stream: true }))
      }
      return reader.flush()
    },
    end: () => {
      read(() => decoder.decode())
      if (!reader.hasProblem()) reader.onEnd()
      return reader.flush()
    }
  }
}

/** Reads entries from bytes in UTF-16 with a byte order mark, or else in UTF-8. */
export const makeReader = (): Transducer<Uint8Array, Batch<Entry, Problem>> => {
  const reader = new Builder()
  let head: Uint8Array = new Uint8Array(0)
  let inner: Transducer<Uint8Array, Batch<Entry, Problem>> | undefined
  const begin = () => {
    const encoding = utf16Of(head)
    inner = encoding === undefined ? fromBytes(reader) : fromUtf16(reader, encoding)
    return inner.push(Chunk.of(head))
  }
  return {
    push: (input) => {
      if (inner !== undefined) return inner.push(input)
      head = concat([head, ...input])
      return head.length < 2 ? reader.flush() : begin()
    },
    end: () => {
      if (inner !== undefined) return inner.end()
      begin()
      return inner!.end()
    }
  }
}
