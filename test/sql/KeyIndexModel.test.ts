/** Random programs of several owners of one file, which put their keys into the index often, fail, and are killed. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import type { Backend } from "../../src/store/StoreBackend.js"
import { begin, german, hashOf, key, keysOf, opened } from "../store/subject.js"
import { runs } from "../support/long.js"
import { nextMilli } from "../support/watchedClock.js"
import { type Failure, failing } from "./failing.js"
import { libsqlFile, newClient, owner } from "./stores.js"

const texts = ["one", "three", "seven", "eleven", "thirteen", "seventeen", "nineteen"]
const owners = 3
/** So many keys are put into the index at once. */
const mostKept = 3

/** The hour of the first refresh. It is to come, so that what is recorded without one is always older. */
const start = DateTime.unsafeMake(Date.now() + 3_600_000)
/** What was recorded without a refresh is of level 0, what a refresh has recorded of its level. */
const refreshOf = (level: number) => (level === 0 ? undefined : DateTime.add(start, { hours: level }))

type Write =
  | { readonly tag: "claim"; readonly texts: ReadonlyArray<string>; readonly level: number }
  | {
      readonly tag: "record"
      readonly texts: ReadonlyArray<string>
      readonly level: number
      /** The attempt that it ends: the how-manieth of those in flight. */
      readonly ends: number
    }

type Command = { readonly owner: number } & (
  | { readonly tag: "write"; readonly writes: ReadonlyArray<Write>; readonly failure: Failure | undefined }
  | { readonly tag: "find"; readonly level: number }
  | { readonly tag: "erase"; readonly text: string; readonly failure: Failure | undefined }
  | { readonly tag: "prune"; readonly maxBytes: number }
  | { readonly tag: "pruneOld" | "entries" | "close" | "kill" }
)

const level = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 }))
const some = fc.subarray(texts, { minLength: 1, maxLength: 3 })
const failure: fc.Arbitrary<Failure | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  fc.constantFrom("before COMMIT" as const, "after COMMIT" as const)
)

const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ tag: fc.constant("claim" as const), texts: some, level }),
  fc.record({ tag: fc.constant("record" as const), texts: some, level, ends: fc.nat({ max: 3 }) })
)

const command: fc.Arbitrary<Command> = fc
  .tuple(
    fc.nat({ max: owners - 1 }),
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          tag: fc.constant("write" as const),
          writes: fc.array(write, { minLength: 1, maxLength: 4 }),
          failure
        })
      },
      { weight: 4, arbitrary: fc.record({ tag: fc.constant("find" as const), level }) },
      {
        weight: 2,
        arbitrary: fc.record({ tag: fc.constant("erase" as const), text: fc.constantFrom(...texts), failure })
      },
      fc.record({ tag: fc.constant("prune" as const), maxBytes: fc.nat({ max: 120 }) }),
      fc.record({ tag: fc.constantFrom("pruneOld", "entries", "close", "kill") })
    )
  )
  .map(([owner, command]) => ({ owner, ...command }) as Command)

interface Row {
  readonly text: string
  readonly translation: string
  readonly level: number
}

interface Attempt {
  readonly id: string
  readonly owner: Owner
}

interface Owner {
  readonly store: Backend
  readonly failNext: (failure: Failure | undefined) => void
  readonly scope: Scope.CloseableScope
  /** Ends its lease, as time does. */
  readonly endLease: Effect.Effect<unknown, unknown>
}

const openOwner = (client: Parameters<typeof failing>[0]) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const { client: layer, failNext } = yield* Scope.extend(failing(client), scope)
    const store = yield* Scope.extend(
      owner(layer, { schedule: Schedule.stop, lease: "1 hour" }, mostKept),
      scope
    )
    yield* opened(store, german)
    const { sql, id } = yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ id: number }>`SELECT max(id) AS id FROM effect_translate_owners`
      return { sql, id: row!.id }
    }).pipe(Effect.provide(layer))
    const endLease = sql`UPDATE effect_translate_owners SET leased_until = 0 WHERE id = ${id}`
    return { store, failNext, scope, endLease } satisfies Owner
  })

const bytesOf = ({ text, translation }: Row) => text.length + translation.length

/** What the file has to hold. */
class Model {
  private rows: ReadonlyArray<Row> = []
  private readonly claims = new Map<string, Attempt>()
  private open: ReadonlyArray<Attempt> = []
  private count = 0

  constructor(
    private readonly client: Parameters<typeof failing>[0],
    private readonly owners: Array<Owner>
  ) {}

  private row(text: string): Row | undefined {
    return this.rows.find((row) => row.text === text)
  }

  private free(attempts: (attempt: Attempt) => boolean) {
    this.open = this.open.filter((attempt) => !attempts(attempt))
    for (const [text, attempt] of this.claims) if (attempts(attempt)) this.claims.delete(text)
  }

  /** Stores translations. */
  private add(text: string, translation: string, level: number) {
    const known = this.row(text)
    if (known !== undefined && known.level >= level) return
    this.rows = [...this.rows.filter((row) => row !== known), { text, translation, level }]
  }

  /** Writes of one moment: recordings come first, of those the latest refresh, and claims see them. */
  private readonly write = (owner: Owner, writes: ReadonlyArray<Write>, failure: Failure | undefined) =>
    Effect.gen(this, function* () {
      const mine = this.open.filter((attempt) => attempt.owner === owner)
      const calls = writes.map((write) => {
        const id = crypto.randomUUID()
        const ended = write.tag === "record" ? mine[write.ends] : undefined
        return { write, id, ended, translation: `${this.count++}` }
      })
      owner.failNext(failure)
      const results = yield* Effect.forEach(
        calls,
        ({ ended, id, translation, write }) =>
          Effect.either(
            write.tag === "claim"
              ? begin(owner.store, id, write.texts, refreshOf(write.level))
              : owner.store.record({
                  namespace: german.id,
                  translations: write.texts.map((text) => ({
                    key: key(text),
                    text,
                    translation: { text: translation }
                  })),
                  endings: ended === undefined ? [] : [{ attempt: ended.id, ending: "answered" }],
                  refreshBefore: refreshOf(write.level)
                })
          ),
        { concurrency: "unbounded" }
      )
      expect(results.map(({ _tag }) => _tag)).toEqual(
        calls.map(() => (failure === undefined ? "Right" : "Left"))
      )
      if (failure === "before COMMIT") return
      const recorded = new Set(writes.flatMap(({ tag, texts }) => (tag === "record" ? texts : [])))
      for (const { ended, translation, write } of calls.toSorted((a, b) => b.write.level - a.write.level)) {
        if (write.tag !== "record") continue
        for (const text of write.texts) this.add(text, translation, write.level)
        if (ended !== undefined) this.free((attempt) => attempt === ended)
      }
      for (const [index, { id, write }] of calls.entries()) {
        if (write.tag !== "claim") continue
        const granted = write.texts.map((text) => {
          const holder = this.claims.get(text)
          const row = this.row(text)
          return (
            (holder === undefined || holder.owner === owner) &&
            // What is recorded in the same moment is told by the next look.
            !recorded.has(text) &&
            (row === undefined || row.level < write.level)
          )
        })
        const attempt = { id, owner }
        // Nobody knows of a claim whose answer was lost, and others do not get it.
        if (failure === undefined) {
          expect(results[index]).toMatchObject({ right: granted })
          expect(yield* owner.store.isHeld(id)).toBe(granted.includes(true))
          if (granted.includes(true)) this.open = [...this.open, attempt]
        }
        for (const [at, text] of write.texts.entries()) if (granted[at]) this.claims.set(text, attempt)
      }
    })

  private readonly erase = (owner: Owner, text: string, failure: Failure | undefined) =>
    Effect.gen(this, function* () {
      owner.failNext(failure)
      const erased = yield* Effect.either(owner.store.erase(hashOf(text), () => key(text)))
      if (failure === undefined) {
        expect(erased).toMatchObject({ right: this.row(text) === undefined ? 0 : 1 })
      }
      if (failure !== "before COMMIT") this.rows = this.rows.filter((row) => row.text !== text)
    })

  private readonly prune = (owner: Owner, maxBytes: number) =>
    Effect.gen(this, function* () {
      let bytes = 0
      const last = this.rows.findLastIndex((row) => {
        bytes += bytesOf(row)
        return bytes > maxBytes
      })
      expect(yield* owner.store.prune({ maxBytes })).toBe(last + 1)
      this.rows = this.rows.slice(last + 1)
    })

  private readonly pruneOld = (owner: Owner) =>
    Effect.gen(this, function* () {
      // What was recorded in this millisecond is not old.
      yield* nextMilli
      const left = this.rows.filter(({ level }) => level > 0)
      expect(yield* owner.store.prune({ maxAge: 0 })).toBe(this.rows.length - left.length)
      this.rows = left
    })

  private readonly find = (owner: Owner, level: number) =>
    Effect.map(owner.store.find(german.id, keysOf(...texts), refreshOf(level)), (found) => {
      const rows = texts.map((text) => this.row(text)).map((row) => row && row.level >= level && row)
      expect(found.map((translation) => translation?.text)).toEqual(
        rows.map((row) => (row ? row.translation : undefined))
      )
    })

  private readonly entries = (owner: Owner) =>
    Effect.map(Stream.runCollect(owner.store.entries), (entries) =>
      expect(Array.from(entries, ({ source, translation }) => [source, translation.text])).toEqual(
        this.rows.map(({ text, translation }) => [text, translation])
      )
    )

  private readonly replace = (index: number, isKilled: boolean) =>
    Effect.gen(this, function* () {
      const owner = this.owners[index]!
      yield* isKilled ? owner.endLease : Scope.close(owner.scope, Exit.void)
      this.free((attempt) => attempt.owner === owner)
      this.owners[index] = yield* openOwner(this.client)
    })

  readonly run = (command: Command) =>
    Effect.suspend((): Effect.Effect<unknown, unknown, Scope.Scope> => {
      const owner = this.owners[command.owner]!
      switch (command.tag) {
        case "write":
          return this.write(owner, command.writes, command.failure)
        case "find":
          return this.find(owner, command.level)
        case "erase":
          return this.erase(owner, command.text, command.failure)
        case "prune":
          return this.prune(owner, command.maxBytes)
        case "pruneOld":
          return this.pruneOld(owner)
        case "entries":
          return this.entries(owner)
        default:
          return this.replace(command.owner, command.tag === "kill")
      }
    })

  readonly check = Effect.suspend(() =>
    Effect.forEach(this.owners, (owner) => Effect.zipRight(this.find(owner, 0), this.entries(owner)))
  )
}

describe("several owners of a file", () => {
  it("find and are granted the content of the file, whatever is in the index, fails, or is killed (random programs)", () =>
    fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40 }), (commands) =>
        Effect.gen(function* () {
          const client = yield* newClient(libsqlFile)
          const model = new Model(client, yield* Effect.replicateEffect(openOwner(client), owners))
          for (const command of commands) yield* model.run(command)
          yield* model.check
        }).pipe(Effect.scoped, Effect.runPromise)
      ),
      { numRuns: runs(400, 5) }
    ))
})
