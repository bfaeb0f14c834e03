/** Random programs of several owners, and what the contract says of them. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { Backend, Ending } from "../../src/store/StoreBackend.js"
import type { Attempt } from "../../src/store/TranslationStore.js"
import { attemptsOf, begin, german, key, keysOf, opened, type Subject } from "./subject.js"

const texts = ["one", "three", "seven", "eleven", "thirteen"]

type Command =
  | { readonly tag: "claim"; readonly owner: number; readonly texts: ReadonlyArray<string> }
  | { readonly tag: "isHeld" | "repeat"; readonly attempt: number }
  | {
      readonly tag: "record"
      readonly attempt: number
      readonly ending: Ending
      readonly translated: ReadonlyArray<string>
    }

const commandOf = (owners: number): fc.Arbitrary<Command> => {
  const attempt = fc.nat({ max: 5 })
  return fc.oneof(
    {
      arbitrary: fc.record({
        tag: fc.constant("claim" as const),
        owner: fc.nat({ max: owners - 1 }),
        texts: fc.subarray(texts, { minLength: 1 })
      }),
      weight: 3
    },
    fc.record({ tag: fc.constantFrom("isHeld" as const, "repeat" as const), attempt }),
    {
      arbitrary: fc.record({
        tag: fc.constant("record" as const),
        attempt,
        ending: fc.constantFrom("answered" as const, "rejected" as const, "unknown" as const),
        translated: fc.subarray(texts)
      }),
      weight: 2
    }
  )
}

interface Row {
  readonly id: string
  readonly owner: number
  readonly texts: ReadonlyArray<string>
  state: Attempt["state"]
}

/** What a store has to know after each command, so far as the contract says. */
class Model {
  readonly rows: Array<Row> = []
  private readonly translations = new Map<string, string>()
  /** The last attempt that claimed a text. */
  private readonly claims = new Map<string, Row>()

  constructor(private readonly owners: ReadonlyArray<Backend>) {}

  private attempt(index: number): Row | undefined {
    return this.rows.at(-1 - index)
  }

  private begin(owner: number, granted: ReadonlyArray<string>, id: string) {
    const row: Row = { id, owner, texts: granted, state: "inFlight" }
    this.rows.push(row)
    for (const text of granted) this.claims.set(text, row)
  }

  private readonly claim = (owner: number, asked: ReadonlyArray<string>) =>
    Effect.gen(this, function* () {
      const expected = asked.map((text) => {
        const holder = this.claims.get(text)
        return !this.translations.has(text) && (holder === undefined || holder.owner === owner)
      })
      const id = crypto.randomUUID()
      expect(yield* begin(this.owners[owner]!, id, asked)).toEqual(expected)
      const granted = asked.filter((_, index) => expected[index])
      if (granted.length > 0) this.begin(owner, granted, id)
    })

  private readonly repeat = (row: Row) =>
    Effect.gen(this, function* () {
      const id = crypto.randomUUID()
      const isInFlight = row.state === "inFlight"
      expect(yield* this.owners[row.owner]!.repeat(row.id, id)).toBe(isInFlight)
      if (!isInFlight) return
      row.state = "unknown"
      const next: Row = { ...row, id, state: "inFlight" }
      this.rows.push(next)
      for (const text of row.texts) if (this.claims.get(text) === row) this.claims.set(text, next)
    })

  private readonly record = (row: Row, ending: Ending, translated: ReadonlyArray<string>) =>
    Effect.gen(this, function* () {
      const results = translated
        .filter((text) => row.texts.includes(text))
        .map((text) => ({ key: key(text), text, translation: { text: `${text} of ${row.id}` } }))
      yield* this.owners[row.owner]!.record({
        namespace: german.id,
        translations: results,
        endings: [{ attempt: row.id, ending }]
      })
      for (const { text, translation } of results) {
        if (!this.translations.has(text)) this.translations.set(text, translation.text)
      }
      if (row.state !== "inFlight") return
      row.state = ending
      for (const text of row.texts) if (this.claims.get(text) === row) this.claims.delete(text)
    })

  readonly run = (command: Command) =>
    Effect.gen(this, function* () {
      if (command.tag === "claim") yield* this.claim(command.owner, command.texts)
      else {
        const row = this.attempt(command.attempt)
        if (row === undefined) return
        if (command.tag === "repeat") yield* this.repeat(row)
        else if (command.tag === "record") yield* this.record(row, command.ending, command.translated)
        else expect(yield* this.owners[row.owner]!.isHeld(row.id)).toBe(row.state === "inFlight")
      }
    })

  readonly check = Effect.gen(this, function* () {
    const expected = texts.map((text) => this.translations.get(text))
    for (const owner of this.owners) {
      expect((yield* owner.find(german.id, keysOf(...texts))).map((found) => found?.text)).toEqual(expected)
    }
    const ledger = yield* attemptsOf(this.owners[0]!)
    const summary = (row: { id: string; texts: number; characters: number; state: string }) =>
      `${row.id} ${row.texts} ${row.characters} ${row.state}`
    expect(ledger.map(summary).sort()).toEqual(
      this.rows
        .map((row) => summary({ ...row, texts: row.texts.length, characters: row.texts.join("").length }))
        .sort()
    )
    const { attempts } = yield* this.owners[0]!.stats
    for (const [state, sum] of Object.entries(attempts)) {
      const ofState = ledger.filter((row) => row.state === state)
      expect(sum).toEqual({
        attempts: ofState.length,
        characters: ofState.reduce((all, { characters }) => all + characters, 0)
      })
    }
  })
}

export const register = ({ make, makeExpiring, runs = 50 }: Subject) => {
  const owners = makeExpiring === undefined ? 1 : 3
  const program = fc.array(commandOf(owners), { maxLength: 30 })
  it(
    `grants a text to one of ${owners} at a time, and has all in the ledger that was granted (random programs)`,
    () =>
      fc.assert(
        fc.asyncProperty(program, (commands) =>
          Effect.gen(function* () {
            const { owner } = yield* make
            const backends = yield* Effect.replicateEffect(owner, owners)
            for (const backend of backends) yield* opened(backend, german)
            const model = new Model(backends)
            for (const command of commands) yield* model.run(command)
            yield* model.check
          }).pipe(Effect.scoped, Effect.runPromise)
        ),
        { numRuns: runs }
      ),
    120_000
  )
}
