import * as Option from "effect/Option"
import type { gfm } from "micromark-extension-gfm"
import type { Problem } from "../../Format.js"

type Extension = ReturnType<typeof gfm>
type Construct = Exclude<NonNullable<Extension["text"]>[string], ReadonlyArray<unknown> | undefined>
type Context = ThisParameterType<Construct["tokenize"]>

/**
 * The parser reads some characters again and again, and looks for partners of marks among those before. A unit takes it some 0.2 µs: so this
 * number takes a second or two.
 */
const mostUnits = 8_000_000

/** A longer text may have more, so that a byte has the same. */
const usualLength = 32 * 1024

/** More work than the parser can do in good time. */
export class TooMuch {
  constructor(readonly problem: Problem) {}
}

/** The units of a piece that is cut out, as a label to be compared, or a line of MDX's code to be parsed, and of each of its characters. */
const cutUnits = 4
const cutCharacterUnits = { md: 0.25, mdx: 0.6 }

/** The units of a character of code, for each line of the code before it: the parser looks for the line of each of its nodes. */
const lineUnits = 0.02

/**
 * The units of a mark, for each mark of its paragraph before it and for each event of the parser before it: a mark of emphasis is compared
 * with all others, the end of a label looks for its beginning.
 */
const marks: Readonly<Record<string, { readonly marks: number; readonly events: number }>> = {
  "*": { marks: 1, events: 0 },
  _: { marks: 1, events: 0 },
  "~": { marks: 1, events: 0 },
  "[": { marks: 0.1, events: 0 },
  "]": { marks: 0.1, events: 0.25 },
  "!": { marks: 0.1, events: 0 },
  "`": { marks: 0, events: 0 },
  "<": { marks: 0, events: 0 },
  "{": { marks: 0, events: 0 }
}

const messages = {
  blocks: "lists and quotes take more work than can be done in good time: put headings between them.",
  md: "the paragraph takes more work than can be done in good time: put blank lines into it.",
  mdx: "the paragraph or code takes more work than can be done in good time: put blank lines into a paragraph, and code into a module."
}

type Subject = keyof typeof messages

/** The characters with which lists and quotes begin, and the units of each pair of them in a section. */
const blocks = Array.from("*+-0123456789>")
const blockUnits = 2

/** The first characters of a line behind which the parser may read code of MDX or HTML. */
const codeBegins = Array.from("{<ei")

/** Counts the parser's work, and ends it with a {@link TooMuch} before it takes long. */
export const bounded = (text: string, dialect: "md" | "mdx"): Extension => {
  const most = mostUnits * Math.max(1, text.length / usualLength)
  const seen = new WeakSet<Context>()
  let units = 0
  let paragraph: unknown
  let marksBefore = 0
  let blocksBefore = 0
  let codeLine = Number.POSITIVE_INFINITY

  const add = (more: number, context: Context, subject: Subject = dialect) => {
    units += more
    if (units > most) {
      const message = messages[subject]
      Option.getOrThrowWith(Option.none(), () => new TooMuch({ line: context.now().line, message }))
    }
  }

  /** Counts all that a tokenizer reads, also in vain: it sets `previous` at each character. */
  const watch = (given: Context): Context => {
    // Where a construct may interrupt another one, it is given an object on top of the context.
    const context: Context = Object.hasOwn(given, "events") ? given : Object.getPrototypeOf(given)
    if (seen.has(context)) return context
    seen.add(context)
    const { sliceSerialize, sliceStream } = context
    let { previous } = context
    Object.defineProperty(context, "previous", {
      get: () => previous,
      set: (code) => {
        previous = code
        add(1, context)
      }
    })
    const addCut = ({ end, start }: Parameters<Context["sliceStream"]>[0]) => {
      const each = cutCharacterUnits[dialect] + lineUnits * Math.max(0, start.line - codeLine)
      add(cutUnits + each * (end.offset - start.offset), context)
    }
    context.sliceStream = (token) => {
      addCut(token)
      return sliceStream(token)
    }
    context.sliceSerialize = (token, expandTabs) => {
      addCut(token)
      return sliceSerialize(token, expandTabs)
    }
    return context
  }

  const beginCode = (context: Context) => {
    codeLine = dialect === "mdx" ? context.now().line : Number.POSITIVE_INFINITY
  }

  /** Takes nothing: the constructs of the language are asked next. */
  const on = (characters: ReadonlyArray<string>, count: (context: Context, character: string) => void) =>
    Object.fromEntries(
      characters.map((character): readonly [number, Construct] => [
        character.charCodeAt(0),
        {
          // A run of backticks begins no code in its midst: without this, it would.
          previous(before) {
            return character !== "`" || before !== 96 || this.events.at(-1)?.[1].type === "characterEscape"
          },
          tokenize(_effects, _ok, nok) {
            count(watch(this), character)
            return nok
          }
        }
      ])
    )
  return {
    text: on(Object.keys(marks), (context, character) => {
      marksBefore = paragraph === context ? marksBefore + 1 : 0
      paragraph = context
      if (codeBegins.includes(character)) beginCode(context)
      const weights = marks[character]!
      add(weights.marks * marksBefore + weights.events * context.events.length, context)
    }),
    flow: on(codeBegins, beginCode),
    document: on(blocks, (context) => {
      add(blockUnits * blocksBefore++, context, "blocks")
    })
  }
}
