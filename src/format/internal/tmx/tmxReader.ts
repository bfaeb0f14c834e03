import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import { SaxesParser, type SaxesTagPlain } from "saxes"
import { concat } from "../../../internal/bytes.js"
import type { Problem } from "../../Format.js"
import type { Entry } from "../../Tmx.js"
import { type Batch, fromBytes, maxLength, type TextReader, type Transducer } from "../transducer.js"
import { maxDepth } from "../xml/xml.js"
import { checkEncoding } from "../xml/xmlCharset.js"
import { languageOf } from "./tmxParts.js"

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
  private readonly parser = new SaxesParser()
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
  /** What the header says. */
  private sourceLang: string | undefined
  private language: string | undefined
  private text = ""
  /** How many elements with native code are open. */
  private native = 0
  /** How much was read since there was nothing to remember, in UTF-16 units. */
  private held = 0

  constructor() {
    const { parser } = this
    parser.on("error", ({ message }) =>
      this.report(
        /unclosed tag|must contain a root|unexpected end/.test(message)
          ? "the file ends before all of its elements are closed: it may be cut."
          : "the file is not well-formed XML: repair it, or export it again."
      )
    )
    parser.on("xmldecl", ({ encoding }) => {
      const checked = checkEncoding(encoding)
      if (Either.isLeft(checked)) this.problem ??= checked.left
    })
    parser.on("opentag", (tag) => this.onOpen(tag))
    parser.on("closetag", ({ name }) => this.onClose(name))
    parser.on("text", (text) => this.onContent(text))
    parser.on("cdata", (text) => this.onContent(text))
  }

  onText(piece: string): void {
    this.held += piece.length
    this.parser.write(piece)
    if (this.held > maxLength) {
      this.report(
        `a translation unit has more than ${maxLength} characters, or the file is not TMX: split it.`
      )
    }
  }

  onMalformed(): void {
    this.report("there are bytes that are not of the file's encoding: save the file as UTF-8.")
  }

  onEnd(): void {
    this.parser.close()
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
    this.problem ??= { line: this.parser.line, column: this.parser.column + 1, message }
  }

  private onOpen({ attributes, name }: SaxesTagPlain): void {
    this.path.push(name)
    if (this.path.length > maxDepth) {
      this.report(
        `more than ${maxDepth} elements are within one another: check whether the file was damaged.`
      )
    }
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

  private begin({ creationdate, srclang, tuid }: SaxesTagPlain["attributes"]): void {
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
