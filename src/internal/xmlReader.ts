import * as Either from "effect/Either"
import {
  type EventName,
  type EventNameToHandler,
  type SaxesOptions,
  SaxesParser,
  type SaxesTagNS,
  type SaxesTagPlain
} from "saxes"

/** A start tag, with plain attributes. */
export type Tag = SaxesTagPlain

/** A start tag whose names and attributes are in namespaces. */
export type NamespaceTag = SaxesTagNS

/** Events of the parser, by its names. */
type Handlers<O> = {
  readonly [N in Exclude<EventName, "error" | "opentag">]?: EventNameToHandler<O, N>
} & { readonly opentag: EventNameToHandler<O, "opentag"> }

/** A problem of a document, at the place of the reader. */
export interface Fault {
  /** In words of the parser. They may name elements. */
  readonly reason: string
  /** With advice, and without names. */
  readonly message: string
}

export interface Reader {
  /** The position behind the read text, in UTF-16 units. */
  readonly position: number
  readonly line: number
  readonly column: number
  /** Reads a piece of a document. Nothing can be read after a fault. */
  readonly read: (text: string) => Either.Either<unknown, Fault>
  readonly end: () => Either.Either<unknown, Fault>
}

/** The largest depth of elements. */
const maxDepth = 500

const tooDeep = `more than ${maxDepth} elements are within one another`

const advices: ReadonlyArray<readonly [RegExp, string]> = [
  [/elements are within/, `${tooDeep}, the most that is read: check whether the file was damaged.`],
  [
    /unclosed tag|unexpected end|must contain a root/,
    "the file ends before all of its elements are closed: it may be cut."
  ],
  [/clos(?:e|ing) tag/, "an end tag is not that of the element that is open: close elements in their order."],
  [/one root|outside of root/, "there is something behind or before the only root element: remove it."],
  [/prefix/, "a prefix is bound to no namespace, or to a wrong one: declare it with xmlns."],
  [/duplicate attribute/, "an element has an attribute twice: remove one."],
  [/character entity/, "a reference names a character that XML cannot hold: remove it."],
  [/]]>/, 'there is "]]>" in a text: write "]]&gt;".'],
  [/declaration|version|encoding value|standalone/, "the XML declaration is wrong: repair it or remove it."],
  [/attribute|in tag name/, 'a tag is not well-formed: quote attributes, and write "&lt;" for "<" in texts.'],
  [
    /disallowed character\.$/,
    'there is a character that XML cannot hold here: remove it, or write "&lt;" for "<".'
  ]
]

const faultOf = (error: unknown): Fault => {
  const reason = error instanceof Error ? error.message : ""
  const message = advices.find(([pattern]) => pattern.test(reason))?.[1]
  return { reason, message: message ?? "the file is not well-formed XML: repair it." }
}

/** Reads a document piece by piece, and calls back for its nodes. */
export const make = <const O extends SaxesOptions>(
  options: O,
  { closetag, opentag, ...handlers }: Handlers<O>,
  /** The entities of references by names. @default those of XML itself */
  entities?: Record<string, string>
): Reader => {
  const parser = new SaxesParser<O>(options)
  if (entities !== undefined) parser.ENTITIES = entities
  let depth = 0
  parser.on("opentag", (tag) => {
    if (++depth > maxDepth) parser.fail(tooDeep)
    opentag(tag)
  })
  parser.on("closetag", (tag) => {
    depth--
    closetag?.(tag)
  })
  for (const [name, handler] of Object.entries(handlers)) parser.on(name as "text", handler as () => void)
  // Without a handler of errors, the parser throws the first one.
  const run = (step: () => unknown) => Either.mapLeft(Either.try(step), faultOf)
  return {
    get position() {
      return parser.position
    },
    get line() {
      return parser.line
    },
    get column() {
      return parser.column + 1
    },
    read: (text) => run(() => parser.write(text)),
    end: () => run(() => parser.close())
  }
}
