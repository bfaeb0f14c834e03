import { maxDepth } from "./jsonDocument.js"
import type { State } from "./selector.js"

/** A selected string of a text that is known to be JSON, and the path to it. */
export interface Located {
  readonly start: number
  readonly end: number
  readonly path: ReadonlyArray<string | number>
}

const quote = 34
const backslash = 92

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Finds the selected strings of one text. The text is valid JSON: nothing is checked here. */
class Locator {
  readonly found: Array<Located> = []
  isTooDeep = false
  private readonly path: Array<string | number> = []
  private position = 0

  constructor(
    readonly text: string,
    start: number
  ) {
    this.position = start
  }

  value(state: State): void {
    this.blanks()
    const code = this.text.charCodeAt(this.position)
    const start = this.position
    if (code === quote) {
      this.string()
      if (state.isSelected) this.found.push({ start, end: this.position, path: [...this.path] })
    } else if (state.isDead) this.skip()
    else if (this.path.length >= maxDepth) {
      this.isTooDeep = true
      this.skip()
    } else if (code === 123) this.object(state)
    else if (code === 91) this.array(state)
    else this.scalar()
  }

  private blanks(): void {
    while (isBlank(this.text.charCodeAt(this.position))) this.position++
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

  private scalar(): void {
    for (; this.position < this.text.length; this.position++) {
      const code = this.text.charCodeAt(this.position)
      if (code === 44 || code === 93 || code === 125 || isBlank(code)) return
    }
  }

  /** Goes over a value in which nothing is selected. */
  private skip(): void {
    let depth = 0
    do {
      this.blanks()
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

  private object(state: State): void {
    this.members(
      125,
      () => {
        const start = this.position
        this.string()
        const raw = this.text.slice(start + 1, this.position - 1)
        const key = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw
        this.blanks()
        this.position++
        return key
      },
      state
    )
  }

  private array(state: State): void {
    let index = 0
    this.members(93, () => index++, state)
  }

  private members(close: number, step: () => string | number, state: State): void {
    this.position++
    this.blanks()
    while (this.text.charCodeAt(this.position) !== close) {
      const next = step()
      this.path.push(next)
      this.value(state.step(next))
      this.path.pop()
      this.blanks()
      if (this.text.charCodeAt(this.position) === 44) this.position++
      this.blanks()
    }
    this.position++
  }
}

/** The selected strings of a text that is valid JSON, in their order; `undefined` if it is nested too deep to look. */
export const locate = (text: string, start: number, selector: State): ReadonlyArray<Located> | undefined => {
  const locator = new Locator(text, start)
  locator.value(selector)
  return locator.isTooDeep ? undefined : locator.found
}
