/** Owners of one store that do everything at the same time. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { Backend } from "../../src/store/StoreBackend.js"
import { begin, end, german, hashOf, key, keysOf, opened } from "../store/subject.js"
import { runs } from "../support/long.js"
import { newClient, owner, type Shared } from "./stores.js"

const texts = Array.from({ length: 12 }, (_, n) => `text ${n}`)

/** Who sends a text, and what was recorded of it. */
class Truth {
  private readonly senders = new Map<string, string>()
  private readonly recorded = new Map<string, string>()
  private readonly erasures = new Map<string, { readonly begun: number; readonly ended: number }>()

  private erasure(text: string) {
    return this.erasures.get(text) ?? { begun: 0, ended: 0 }
  }

  private readonly send = (store: Backend, asked: ReadonlyArray<string>) =>
    Effect.gen(this, function* () {
      const attempt = crypto.randomUUID()
      const before = new Map(this.recorded)
      const granted = yield* begin(store, attempt, asked)
      const mine = asked.filter((_, index) => granted[index])
      for (const text of mine) {
        expect(this.senders.get(text)).toBe(undefined)
        expect([text, before.has(text) && this.recorded.get(text) === before.get(text)]).toEqual([
          text,
          false
        ])
        this.senders.set(text, attempt)
      }
      if (mine.length === 0) return
      yield* Effect.yieldNow()
      expect(yield* store.isHeld(attempt)).toBe(true)
      const erasures = mine.map((text) => this.erasure(text))
      // They are free as soon as the transaction ends, before its caller hears of it.
      for (const text of mine) this.senders.delete(text)
      yield* store.record({
        namespace: german.id,
        translations: mine.map((text) => ({ key: key(text), text, translation: { text: attempt } })),
        endings: [{ attempt, ending: "answered" }]
      })
      for (const [index, text] of mine.entries()) {
        // An erasure that is under way may have come before or after.
        const { begun, ended } = this.erasure(text)
        if (begun === ended && begun === erasures[index]!.begun) this.recorded.set(text, attempt)
      }
    })

  private readonly find = (store: Backend) =>
    Effect.gen(this, function* () {
      const known = new Map(this.recorded)
      const found = yield* store.find(german.id, keysOf(...texts))
      for (const [index, text] of texts.entries()) {
        const translation = known.get(text)
        if (translation !== undefined && this.recorded.get(text) === translation) {
          expect([text, found[index]?.text]).toEqual([text, translation])
        }
      }
    })

  private readonly erase = (store: Backend, text: string) =>
    Effect.suspend(() => {
      const { begun, ended } = this.erasure(text)
      this.erasures.set(text, { begun: begun + 1, ended })
      this.recorded.delete(text)
      return Effect.map(
        store.erase(hashOf(text), () => key(text)),
        () => {
          const { begun, ended } = this.erasure(text)
          this.erasures.set(text, { begun, ended: ended + 1 })
        }
      )
    })

  /** At the end, each text is found or granted. */
  readonly check = (store: Backend) =>
    Effect.gen(this, function* () {
      yield* this.find(store)
      const found = yield* store.find(german.id, keysOf(...texts))
      const missing = texts.filter((_, index) => found[index] === undefined)
      const attempt = crypto.randomUUID()
      expect(yield* begin(store, attempt, missing)).toEqual(missing.map(() => true))
      yield* end(store, attempt, "rejected")
    })

  readonly run = (store: Backend) =>
    Effect.gen(this, function* () {
      for (let step = 0; step < 60; step++) {
        const kind = yield* Random.nextIntBetween(0, 10)
        const text = texts[yield* Random.nextIntBetween(0, texts.length)]!
        const other = texts[yield* Random.nextIntBetween(0, texts.length)]!
        if (kind < 5) yield* this.send(store, Array.from(new Set([text, other])))
        else if (kind < 8) yield* this.find(store)
        else if (kind < 9) yield* this.erase(store, text)
        else {
          const finding = yield* Effect.fork(store.find(german.id, keysOf(text)))
          for (let n = yield* Random.nextIntBetween(0, 6); n > 0; n--) yield* Effect.yieldNow()
          finding.unsafeInterruptAsFork(finding.id())
          yield* Effect.exit(finding)
        }
      }
    })
}

export const suite = (database: Shared) =>
  describe(`several owners of ${database.name} at the same time`, () => {
    it.live("never send a text that others send or have recorded, and find all that was recorded", () =>
      Effect.gen(function* () {
        for (let run = 0; run < runs(50, 3); run++) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const client = yield* newClient(database)
              const owners = yield* Effect.replicateEffect(
                Effect.tap(owner(client, {}, 5), (store) => opened(store, german)),
                3
              )
              const truth = new Truth()
              // One owner does not hold its own texts against itself: one fiber for each.
              yield* Effect.forEach(owners, truth.run, { concurrency: "unbounded", discard: true })
              yield* Effect.forEach(owners, truth.check, { discard: true })
            })
          )
        }
      })
    )
  })
