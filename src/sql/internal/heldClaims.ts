/** The attempts of one owner that hold their claims, and the keys that each of them holds: the last one that has claimed a key. */
export class Holdings {
  private readonly attempts = new Map<string, Set<string>>()
  /** The attempts that hold keys. */
  private readonly holders = new Map<string, string>()

  has(attempt: string): boolean {
    return this.attempts.has(attempt)
  }

  all(): ReadonlyArray<string> {
    return Array.from(this.attempts.keys())
  }

  take(attempt: string, keys: ReadonlyArray<string>): void {
    for (const key of keys) {
      const before = this.holders.get(key)
      if (before !== undefined) this.attempts.get(before)?.delete(key)
      this.holders.set(key, attempt)
    }
    this.attempts.set(attempt, new Set(keys))
  }

  /** The attempts that would lose keys to a new one, with the keys that would be left to them. */
  losers(keys: ReadonlySet<string>): ReadonlyArray<readonly [attempt: string, keys: ReadonlyArray<string>]> {
    const losers = new Set<string>()
    for (const key of keys) {
      const holder = this.holders.get(key)
      if (holder !== undefined) losers.add(holder)
    }
    return Array.from(losers, (attempt) => [
      attempt,
      Array.from(this.attempts.get(attempt) ?? []).filter((key) => !keys.has(key))
    ])
  }

  /** An attempt goes on under another name. */
  rename(attempt: string, next: string): void {
    const keys = Array.from(this.attempts.get(attempt) ?? [])
    this.end(attempt)
    this.take(next, keys)
  }

  end(attempt: string): void {
    for (const key of this.attempts.get(attempt) ?? []) this.holders.delete(key)
    this.attempts.delete(attempt)
  }
}
