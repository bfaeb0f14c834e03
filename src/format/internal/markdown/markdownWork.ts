import * as Option from "effect/Option"
import type { gfm } from "micromark-extension-gfm"
import type { Problem } from "../../Format.js"

type Extension = ReturnType<typeof gfm>
type Construct = Exclude<NonNullable<Extension["text"]>[string], ReadonlyArray<unknown> | undefined>
type Context = ThisParameterType<Construct["tokenize"]>

/**
 * The parser reads some characters again and again, and looks for partners of marks among those before. A unit takes it some 0.2 µs: so this
 * number takes a second. Of the Markdown files in `node_modules`, `docs` and `test`, 1,032, none needs more than a quarter of it.
 */
const mostUnits = 4_000_000

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

/** The units of a character of code, for each comment of the text that may have no end: the parser looks for the end from each beginning. */
const commentUnits = 0.005

/**
 * The units of an event of the parser. It may look through all that it has at a mark, at the beginning of a list or quote, and at a line
 * that continues a paragraph without their markers.
 */
const eventUnits = 0.2

/** The characters with which an inline construct begins or ends. */
const marks = Array.from("*_~[]!`<{&\\")

const messages = {
  blocks: "lists and quotes take more work than can be done in good time: put headings between them.",
  md: "the paragraph takes more work than can be done in good time: put blank lines into it.",
  mdx: "the paragraph or code takes more work than can be done in good time: put blank lines into a paragraph, and code into a module."
}

type Subject = keyof typeof messages

/** The characters with which lists and quotes begin. */
const blocks = Array.from("*+-0123456789>")

/** The first characters of a line behind which the parser may read code of MDX or HTML. */
const codeBegins = Array.from("{<ei")

/** Counts the parser's work, and ends it with a {@link TooMuch} before it takes long. */
export const bounded = (text: string, dialect: "md" | "mdx"): Extension => {
  const most = mostUnits * Math.max(1, text.length / usualLength)
  const cutCharacter =
    cutCharacterUnits[dialect] + (dialect === "mdx" ? commentUnits * (text.split("/*").length - 1) : 0)
  const seen = new WeakSet<Context>()
  let units = 0
  let codeLine = Number.POSITIVE_INFINITY

  const add = (more: number, context: Context, subject: Subject = dialect) => {
    units += more
    if (units > most) {
      const message = messages[subject]
      Option.getOrThrowWith(Option.none(), () => new TooMuch({ line: context.now().line, message }))
    }
  }

  const addEvents = (context: Context, subject?: Subject) =>
    add(eventUnits * context.events.length, context, subject)

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
        if (code !== null && code < -2 && context.parser.lazy[context.now().line - 1])
          addEvents(context, "blocks")
        add(1, context)
      }
    })
    const addCut = ({ end, start }: Parameters<Context["sliceStream"]>[0]) => {
      const each = cutCharacter + lineUnits * Math.max(0, start.line - codeLine)
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
    text: on(marks, (context, character) => {
      if (codeBegins.includes(character)) beginCode(context)
      addEvents(context)
    }),
    flow: on(codeBegins, beginCode),
    document: on(blocks, (context) => addEvents(context, "blocks"))
  }
}
