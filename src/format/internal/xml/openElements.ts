/** The elements that are open at a place, with closing by name in constant time on the average. */
export class OpenElements<A> {
  private readonly open: Array<{ readonly name: string; readonly value: A }> = []
  private readonly counts = new Map<string, number>()

  get top(): { readonly name: string; readonly value: A } | undefined {
    return this.open.at(-1)
  }

  push(name: string, value: A): void {
    this.open.push({ name, value })
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  pop(): A | undefined {
    const last = this.open.pop()
    if (last === undefined) return undefined
    this.counts.set(last.name, this.counts.get(last.name)! - 1)
    return last.value
  }

  has(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0
  }
}
