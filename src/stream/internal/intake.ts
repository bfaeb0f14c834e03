import * as Row from "./element.js"
import type { Window } from "./window.js"

interface Config<A> {
  readonly elements: Pick<Row.Elements<A, unknown>, "texts">
  readonly window: Window<A>
  /** True for texts that have nothing to translate, though they are not blank. */
  readonly isSkipped: ((text: string) => boolean) | undefined
  readonly onItem: (item: Row.Item<A>) => void
}

/** Takes the elements of the source in: as rows of the window, and as items of their texts. */
export class Intake<A> {
  private chunk: ReadonlyArray<A> = []
  /** The number of pulled elements that are not taken in. */
  left = 0
  isPulling = false
  isSourceEnded = false

  constructor(private readonly config: Config<A>) {}

  pulled(chunk: ReadonlyArray<A>): void {
    this.isPulling = false
    this.chunk = chunk
    this.left = chunk.length
  }

  sourceEnded(): void {
    this.isPulling = false
    this.isSourceEnded = true
  }

  /** Takes in the next element, although the window may be full. */
  takeIn(): void {
    const { elements, isSkipped, onItem, window } = this.config
    const element = this.chunk[this.chunk.length - this.left--]!
    const row = Row.make(element, elements.texts(element), isSkipped)
    window.add(row)
    window.complete(row)
    Row.forEachItem(row, onItem)
  }
}
