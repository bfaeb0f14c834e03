import * as DateTime from "effect/DateTime"
import { noAttempts } from "../StoreBackend.js"
import type { Attempt, AttemptSums, Ending } from "./storeModels.js"

/** A request, with the id of its namespace. */
export interface Row extends Omit<Attempt, "namespace"> {
  readonly namespace: string
}

/** The number of ended requests that are listed, at least. */
const kept = 1000

/** The ledger of one process: all requests in flight, the last ones that have ended, and the sums of all. */
export class MemoryLedger {
  private readonly inFlight = new Map<string, Row>()
  private ended: Array<Row> = []
  private readonly sums = noAttempts()

  constructor(private readonly owner: string) {}

  isInFlight(id: string): boolean {
    return this.inFlight.has(id)
  }

  begin(attempt: Pick<Row, "id" | "namespace" | "texts" | "characters" | "at">): void {
    this.inFlight.set(attempt.id, { ...attempt, owner: this.owner, state: "inFlight" })
    this.count("inFlight", attempt.characters, 1)
  }

  end(id: string, ending: Ending): void {
    const row = this.inFlight.get(id)
    if (row === undefined) return
    this.inFlight.delete(id)
    this.count("inFlight", row.characters, -1)
    this.count(ending, row.characters, 1)
    this.ended.push({ ...row, state: ending })
    if (this.ended.length > 2 * kept) this.ended = this.ended.slice(-kept)
  }

  repeat(id: string, next: string, at: DateTime.Utc): boolean {
    const row = this.inFlight.get(id)
    if (row === undefined) return false
    this.end(id, "unknown")
    this.begin({ ...row, id: next, at })
    return true
  }

  /** Removes ended attempts that began before a time, and returns their number. Tells how much. */
  prune(before: number): number {
    const old = this.ended.filter(({ at }) => at.epochMillis < before)
    for (const { characters, state } of old) this.count(state, characters, -1)
    this.ended = this.ended.filter(({ at }) => at.epochMillis >= before)
    return old.length
  }

  rows(): ReadonlyArray<Row> {
    return [...this.ended, ...this.inFlight.values()].sort((a, b) => a.at.epochMillis - b.at.epochMillis)
  }

  stats(): AttemptSums {
    return structuredClone(this.sums)
  }

  sumsSince(time: DateTime.Utc): AttemptSums {
    const sums = noAttempts()
    for (const { at, characters, state } of this.rows()) {
      if (DateTime.lessThan(at, time)) continue
      sums[state].attempts++
      sums[state].characters += characters
    }
    return sums
  }

  private count(state: Attempt["state"], characters: number, sign: 1 | -1): void {
    this.sums[state].attempts += sign
    this.sums[state].characters += sign * characters
  }
}
