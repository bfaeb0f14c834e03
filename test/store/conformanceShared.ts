/** What owners of one store do to each other. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Backend } from "../../src/store/StoreBackend.js"
import {
  a,
  attemptsOf,
  b,
  begin,
  c,
  d,
  type ExpiringStore,
  end,
  german,
  keysOf,
  opened,
  put,
  type Subject,
  sleep
} from "./subject.js"

const ready = (owner: Effect.Effect<Backend, unknown, Scope.Scope>) =>
  Effect.tap(owner, (backend) => opened(backend, german))

const statesOf = (backend: Backend) =>
  Effect.map(attemptsOf(backend), (attempts) => attempts.map(({ id, state }) => [id, state]))

export const register = (
  { make }: Subject,
  makeExpiring: Effect.Effect<ExpiringStore, unknown, Scope.Scope>
) => {
  const twoOwners = Effect.flatMap(make, ({ owner }) => Effect.all([ready(owner), ready(owner)]))
  const frozenAndOther = Effect.gen(function* () {
    const { frozenOwner, lease, owner } = yield* makeExpiring
    const past = sleep(1.5 * Duration.toMillis(lease))
    return { frozen: yield* ready(frozenOwner), other: yield* ready(owner), past }
  })

  it.scopedLive("grants a text to one of several owners that claim it at once", () =>
    Effect.gen(function* () {
      const { owner } = yield* make
      const owners = yield* Effect.replicateEffect(ready(owner), 4)
      for (let round = 0; round < 10; round++) {
        const texts = [`text ${round}`, `other ${round}`]
        const granted = yield* Effect.forEach(
          owners,
          (backend) => begin(backend, crypto.randomUUID(), texts),
          { concurrency: "unbounded" }
        )
        for (const index of texts.keys()) {
          expect(granted.filter((each) => each[index]).length).toBe(1)
        }
      }
      const ledger = yield* attemptsOf(owners[0]!)
      expect(ledger.reduce((sum, { texts }) => sum + texts, 0)).toBe(20)
    })
  )

  it.scopedLive("shows each owner the translations of the others, and grants them to nobody", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoOwners
      yield* begin(one, a, ["one"])
      expect(yield* begin(two, b, ["one", "two"])).toEqual([false, true])
      yield* put(one, german, { one: { text: "Eins" } })
      yield* end(one, a, "answered")
      expect(yield* two.find(german.id, keysOf("one"))).toEqual([{ text: "Eins" }])
      expect(yield* begin(two, c, ["one"])).toEqual([false])
      const ledger = yield* attemptsOf(two)
      expect(ledger.map(({ id, state }) => [id, state])).toEqual([
        [a, "answered"],
        [b, "inFlight"]
      ])
      expect(ledger[0]!.owner).not.toBe(ledger[1]!.owner)
    })
  )

  it.scopedLive("frees texts without a translation when the attempt that claimed them last has ended", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoOwners
      yield* begin(one, a, ["one", "two"])
      yield* begin(one, b, ["two"])
      yield* end(one, a, "rejected")
      expect(yield* begin(two, c, ["one", "two"])).toEqual([true, false])
      expect(yield* begin(one, a, ["one"])).toEqual([false])
      yield* end(one, b, "unknown")
      expect(yield* begin(two, d, ["two"])).toEqual([true])
    })
  )

  it.scopedLive("does not let an owner end or repeat the attempts of another", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoOwners
      yield* begin(one, a, ["one"])
      expect(yield* two.isHeld(a)).toBe(false)
      expect(yield* two.repeat(a, b)).toBe(false)
      expect(yield* one.isHeld(a)).toBe(true)
    })
  )

  // They wait for leases to end.
  describe.concurrent("whose leases are short", () => {
    it.scopedLive("renews the lease of an owner as long as its scope is open", () =>
      Effect.gen(function* () {
        const { lease, owner } = yield* makeExpiring
        const [one, two] = yield* Effect.all([ready(owner), ready(owner)])
        yield* begin(one, a, ["one"])
        yield* sleep(3 * Duration.toMillis(lease))
        expect(yield* begin(two, b, ["one"])).toEqual([false])
        expect(yield* one.isHeld(a)).toBe(true)
      })
    )

    it.scopedLive(
      "gives texts to another owner once a lease has run out, and notes the attempt as expired",
      () =>
        Effect.gen(function* () {
          const { frozen, other, past } = yield* frozenAndOther
          yield* begin(frozen, a, ["one"])
          expect(yield* begin(other, b, ["one"])).toEqual([false])
          yield* past
          expect(yield* begin(other, b, ["one"])).toEqual([true])
          expect(yield* statesOf(other)).toEqual([
            [a, "expired"],
            [b, "inFlight"]
          ])
          expect(yield* frozen.isHeld(a)).toBe(false)
          expect(yield* frozen.repeat(a, c)).toBe(false)
          expect(yield* begin(frozen, c, ["one"])).toEqual([false])
          expect(yield* other.isHeld(b)).toBe(true)
        })
    )

    it.scopedLive("lets an owner go on after a freeze if nobody has taken over", () =>
      Effect.gen(function* () {
        const { frozen, other, past } = yield* frozenAndOther
        yield* begin(frozen, a, ["one"])
        yield* past
        expect(yield* frozen.isHeld(a)).toBe(true)
        expect(yield* begin(other, b, ["one"])).toEqual([false])
        expect(yield* statesOf(other)).toEqual([[a, "inFlight"]])
      })
    )

    it.scopedLive("keeps the first record when the answer of an owner comes after it was expired", () =>
      Effect.gen(function* () {
        const { frozen, other, past } = yield* frozenAndOther
        yield* begin(frozen, a, ["one", "two"])
        yield* past
        yield* begin(other, b, ["one"])
        yield* put(other, german, { one: { text: "Eins" } })
        yield* end(other, b, "answered")
        yield* put(frozen, german, { one: { text: "Ein" }, two: { text: "Zwei" } })
        yield* end(frozen, a, "answered")
        expect(yield* other.find(german.id, keysOf("one", "two"))).toEqual([
          { text: "Eins" },
          { text: "Zwei" }
        ])
        expect(yield* statesOf(other)).toEqual([
          [a, "expired"],
          [b, "answered"]
        ])
      })
    )
  })
}
