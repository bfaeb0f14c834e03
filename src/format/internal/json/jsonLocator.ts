import { isBlank } from "../../../internal/texts.js"
import { type State, stepKey } from "../selector.js"
import { maxDepth, type Range } from "./jsonDocument.js"

/** A selected string of a text that is known to be JSON, and the key of the path to it. */
export interface Located extends Range {
  readonly key: string
  readonly text: string
}

const quote = 34
const backslash = 92

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Finds the selected strings of one text. The text is valid JSON: nothing is checked here. */
class Locator {
  readonly found: Array<Located> = []
  isTooDeep = false
  private position = 0

  constructor(
    readonly text: string,
    start: number
  ) {
    this.position = start
  }

  value(state: State, key = "", depth = 0): void {
    this.skipWhitespace()
    const code = this.text.charCodeAt(this.position)
    const start = this.position
    if (code === quote) {
      this.string()
      const text = state.isSelected ? this.textFrom(start) : ""
      if (!isBlank(text)) this.found.push({ start, end: this.position, key, text })
    } else if (state.isDead) this.skip()
    else if (depth >= maxDepth) {
      this.isTooDeep = true
      this.skip()
    } else if (code === 123) this.members(125, state, key, depth)
    else if (code === 91) this.members(93, state, key, depth)
    else this.scalar()
  }

  private skipWhitespace(): void {
    while (isSpace(this.text.charCodeAt(this.position))) this.position++
  }

  private string(): void {
    for (let end = this.position; ; ) {
      end = this.text.indexOf('"', end + 1)
      let before = end - 1
      while (this.text.charCodeAt(before) === backslash) before--
      if ((end - before) % 2 === 1) {
        this.position = end + 1
        return
      }
    }
  }

  /** The text of the string that begins there, and has just ended. */
  private textFrom(start: number): string {
    const inner = this.text.slice(start + 1, this.position - 1)
    return inner.includes("\\") ? (JSON.parse(`"${inner}"`) as string) : inner
  }

  private scalar(): void {
    for (; this.position < this.text.length; this.position++) {
      const code = this.text.charCodeAt(this.position)
      if (code === 44 || code === 93 || code === 125 || isSpace(code)) return
    }
  }

  /** Goes over a value in which nothing is selected. */
  private skip(): void {
    let depth = 0
    do {
      this.skipWhitespace()
      const code = this.text.charCodeAt(this.position)
      if (code === quote) this.string()
      else if (code === 123 || code === 91) {
        depth++
        this.position++
      } else if (code === 125 || code === 93) {
        depth--
        this.position++
      } else if (code === 44 || code === 58) this.position++
      else this.scalar()
    } while (depth > 0)
  }

  /** A key and its colon. */
  private key(): string {
    const start = this.position
    this.string()
    const key = this.textFrom(start)
    this.skipWhitespace()
    this.position++
    return key
  }

  /** The properties of an object or the items of an array. */
  private members(close: number, state: State, key: string, depth: number): void {
    this.position++
    this.skipWhitespace()
    for (let index = 0; this.text.charCodeAt(this.position) !== close; index++) {
      const step = close === 125 ? this.key() : index
      const next = state.step(step)
      this.value(next, next.isSelected || !next.isDead ? stepKey(key, step) : key, depth + 1)
      this.skipWhitespace()
      if (this.text.charCodeAt(this.position) === 44) this.position++
      this.skipWhitespace()
    }
    this.position++
  }
}

/** The selected strings of a text that is valid JSON, in their order, but blank ones; `undefined` if it is nested too deep to look. */
export const locate = (text: string, start: number, selector: State): ReadonlyArray<Located> | undefined => {
  const locator = new Locator(text, start)
  locator.value(selector)
  return locator.isTooDeep ? undefined : locator.found
}
