import type * as Row from "./element.js"

/** Texts to look up in the store: new ones at once, those that somebody else translates after a while. */
export interface LookUp<A> {
  readonly _tag: "LookUp"
  readonly items: ReadonlyArray<Row.Item<A>>
  readonly isPending: boolean
}

/** The look-ups of a scheduler in its store: of equal texts it looks up the first, and the others wait for it. */
export class LookUps<A> {
  /** Texts that are on their way, with the equal ones that wait for them. */
  private readonly underWay = new Map<string, Array<Row.Item<A>>>()
  private readonly unknown: Array<Row.Item<A>> = []
  private readonly pending: Array<Row.Item<A>> = []
  /** Steps that have not ended. */
  private readonly steps = new Set<LookUp<A>>()
  /** The step of new texts among these. */
  private asked: LookUp<A> | undefined

  /** True if new texts are looked up, or wait for it. */
  get isBusy(): boolean {
    return this.unknown.length > 0 || this.asked !== undefined
  }

  /** True if texts are looked up that another stream translates. */
  get isPolling(): boolean {
    return this.steps.size > (this.asked === undefined ? 0 : 1)
  }

  /** True if no step is under way. */
  get isIdle(): boolean {
    return this.steps.size === 0
  }

  add(item: Row.Item<A>): void {
    const { text } = item
    const waiting = this.underWay.get(text)
    if (waiting !== undefined) waiting.push(item)
    else {
      this.underWay.set(text, [])
      this.unknown.push(item)
    }
  }

  /** Somebody else translates a text: it is looked up again after a while. */
  addPending(item: Row.Item<A>): void {
    this.pending.push(item)
  }

  /** One step of new texts at a time: those that come meanwhile are the next, so that small chunks are not a question each. */
  next(): LookUp<A> | undefined {
    const isPending = this.unknown.length === 0
    if (!isPending && this.asked !== undefined) return undefined
    const items = isPending ? this.pending : this.unknown
    if (items.length === 0) return undefined
    const step = { _tag: "LookUp", items: items.splice(0), isPending } as const
    this.steps.add(step)
    if (!isPending) this.asked = step
    return step
  }

  /** A step has ended; `false` if it had ended before. */
  end(step: LookUp<A>): boolean {
    if (this.asked === step) this.asked = undefined
    return this.steps.delete(step)
  }

  /** Everything that waits to be looked up. */
  drain(): ReadonlyArray<Row.Item<A>> {
    return [...this.unknown.splice(0), ...this.pending.splice(0)]
  }

  /** Those that waited for a text that has its result now. */
  takeEqual(item: Row.Item<A>): ReadonlyArray<Row.Item<A>> {
    const { text } = item
    const waiting = this.underWay.get(text) ?? []
    this.underWay.delete(text)
    return waiting
  }
}
