import { foreignContent, type Token, type TokenHandler, Tokenizer, TokenizerMode } from "parse5"
import { OpenElements } from "../xml/openElements.js"

export interface HtmlAttribute {
  readonly name: string
  /** Without the escapes of HTML. */
  readonly value: string
  /** Where the name begins in the text. */
  readonly start: number
  /** Where the value and its quote have ended. */
  readonly end: number
}

/** A piece of mark-up. The rest between two of them is text. */
export interface HtmlToken {
  readonly kind: "start" | "end" | "comment" | "doctype"
  /** In lower case; empty for comments. */
  readonly name: string
  readonly start: number
  readonly end: number
  readonly attributes: ReadonlyArray<HtmlAttribute>
}

type Mode = keyof typeof TokenizerMode

/** The modes for the content of elements that hold no elements. */
const contentModes = new Map<string, Mode>([
  ["title", "RCDATA"],
  ["textarea", "RCDATA"],
  ["plaintext", "PLAINTEXT"],
  ["script", "SCRIPT_DATA"],
  ...["style", "iframe", "xmp", "noembed", "noframes"].map((name): [string, Mode] => [name, "RAWTEXT"])
])

/** The elements of SVG and MathML whose content is HTML. */
const integrationPoints = new Set([
  "foreignobject",
  "desc",
  "title",
  "annotation-xml",
  "mi",
  "mo",
  "mn",
  "ms",
  "mtext"
])

const noAttributes: ReadonlyArray<HtmlAttribute> = []

const attributesOf = (token: Token.TagToken): ReadonlyArray<HtmlAttribute> =>
  token.attrs.length === 0
    ? noAttributes
    : token.attrs.flatMap(({ name, value }) => {
        const location = token.location?.attrs?.[name]
        return location === undefined
          ? []
          : [{ name, value, start: location.startOffset, end: location.endOffset }]
      })

/** Sets the tokenizer's state where it depends on the surrounding tags. */
class Handler implements TokenHandler {
  readonly tokens: Array<HtmlToken> = []
  problem: { readonly message: string; readonly offset: number } | undefined
  tokenizer: Tokenizer | undefined
  /** An element that only its end tag ends. */
  private textOnly: HtmlToken | undefined
  /** `svg`, `math`, and their elements whose content is HTML (`false`). */
  private readonly foreign = new OpenElements<boolean>()

  onStartTag(token: Token.TagToken): void {
    this.add("start", token.tagName, token, attributesOf(token))
    const name = token.tagName
    if (this.foreign.top?.value === true && foreignContent.causesExit(token)) {
      while (this.foreign.top?.value === true) this.foreign.pop()
    }
    const isForeign = this.foreign.top?.value === true
    if (name === "svg" || name === "math") {
      if (!token.selfClosing) this.foreign.push(name, true)
    } else if (isForeign) {
      if (!token.selfClosing && integrationPoints.has(name)) this.foreign.push(name, false)
    } else {
      const mode = contentModes.get(name)
      if (mode !== undefined) {
        this.tokenizer!.state = TokenizerMode[mode]
        if (mode !== "PLAINTEXT") this.textOnly = this.tokens.at(-1)
      }
    }
    this.tell()
  }

  onEndTag(token: Token.TagToken): void {
    this.textOnly = undefined
    this.add("end", token.tagName, token, noAttributes)
    if (this.foreign.has(token.tagName)) {
      while (this.foreign.top!.name !== token.tagName) this.foreign.pop()
      this.foreign.pop()
      this.tell()
    }
  }

  onComment(token: Token.CommentToken): void {
    this.add("comment", "", token, noAttributes)
  }

  onDoctype(token: Token.DoctypeToken): void {
    this.add("doctype", "", token, noAttributes)
  }

  onParseError({ code, startOffset }: { readonly code: string; readonly startOffset: number }): void {
    if (!code.startsWith("eof-in-")) return
    const what = code.slice("eof-in-".length).replaceAll("-", " ")
    this.problem = { message: `the file ends inside a ${what}: see whether it is cut.`, offset: startOffset }
  }

  onCharacter(): void {}
  onNullCharacter(): void {}
  onWhitespaceCharacter(): void {}

  onEof(): void {
    if (this.textOnly === undefined) return
    const { name, start } = this.textOnly
    const message = `the element <${name}> is not closed: add </${name}>, or see whether the file is cut.`
    this.problem = { message, offset: start }
  }

  private add(
    kind: HtmlToken["kind"],
    name: string,
    { location }: { readonly location: Token.Location | null },
    attributes: ReadonlyArray<HtmlAttribute>
  ): void {
    this.tokens.push({ kind, name, start: location!.startOffset, end: location!.endOffset, attributes })
  }

  private tell(): void {
    this.tokenizer!.inForeignNode = this.foreign.top?.value === true
  }
}

export interface HtmlTokens {
  readonly tokens: ReadonlyArray<HtmlToken>
  /** The text ends in the middle of a piece of mark-up. */
  readonly problem: { readonly message: string; readonly offset: number } | undefined
}

/**
 * The mark-up of a text, by the tokenizer of parse5, which its documentation does not name:
 * `test/format/PackageParts.test.ts` describes it. Its trees are not used: they move and repeat elements, and take
 * quadratic time for some files.
 */
export const tokenize = (text: string): HtmlTokens => {
  const handler = new Handler()
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, handler)
  handler.tokenizer = tokenizer
  tokenizer.write(text, true)
  return handler
}
