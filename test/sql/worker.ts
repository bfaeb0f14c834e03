/**
 * A process that shares a store: it claims and records texts, in another order than its neighbour, until all are translated, and prints
 * how many it was granted. Or it claims one and waits to be killed. Or it records texts from a number on, several at a time, and
 * prints their numbers, until it is killed.
 */
import { NodeFileSystem } from "@effect/platform-node"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { LibsqlClient } from "effect-translate/libsql"
import { PgClient } from "effect-translate/postgres"
import * as backends from "../../src/sql/internal/backend.js"
import { german, opened } from "../store/subject.js"
import { found, numbered, record, upTo } from "./subject.js"

const [address = "", task = "", texts = ""] = process.argv.slice(2)

const client = address.startsWith("postgres:")
  ? PgClient.layer({ url: Redacted.make(address) })
  : LibsqlClient.layer({ filename: address })

const all = upTo(Number(texts))

const work = Effect.gen(function* () {
  const store = yield* backends.make({}, task === "record" ? 50 : undefined)
  yield* opened(store, german)
  const claim = (numbers: ReadonlyArray<number>) => {
    const attempt = crypto.randomUUID()
    return Effect.map(
      store.claim({
        attempt,
        namespace: german.id,
        keys: numbers.map((n) => numbered(n).key),
        characters: numbers.map(() => 6)
      }),
      (granted) => ({ attempt, granted: numbers.filter((_, index) => granted[index]) })
    )
  }
  if (task === "wait") {
    yield* claim(all)
    console.log("claimed")
    return yield* Effect.never
  }
  if (task === "record") {
    const recorded = (n: number) => Effect.map(record(store, n), () => console.log(n))
    const numbers = Stream.iterate(Number(texts), (n) => n + 1)
    return yield* Stream.runDrain(Stream.mapEffect(numbers, recorded, { concurrency: 8 }))
  }
  let mine = 0
  for (;;) {
    const known = new Set(yield* found(store, all))
    const missing = all.filter((n) => !known.has(n))
    if (missing.length === 0) return mine
    const start = Math.floor(Math.random() * missing.length)
    const { attempt, granted } = yield* claim(missing.slice(start, start + 20))
    mine += granted.length
    // As a request takes: others look meanwhile.
    yield* Effect.sleep(5)
    if (granted.length > 0) {
      yield* store.record({
        namespace: german.id,
        translations: granted.map(numbered),
        endings: [{ attempt, ending: "answered" }]
      })
    }
  }
})

Effect.scoped(work)
  .pipe(Effect.provide(Layer.merge(client, NodeFileSystem.layer)), Effect.runPromise)
  .then(
    (mine) => console.log(mine),
    (error) => {
      console.error(error)
      process.exitCode = 1
    }
  )
