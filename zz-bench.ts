import { NodeFileSystem } from "@effect/platform-node"
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rmSync, existsSync } from "node:fs"
import * as backends from "/work/wt/sqlstore/src/sql/internal/backend.js"
import * as LibsqlClient from "/work/wt/sqlstore/src/sql/LibsqlClient.js"
import * as PgClient from "/work/wt/sqlstore/src/sql/PgClient.js"
import { hash } from "/work/wt/sqlstore/src/internal/hash.js"
import * as Redacted from "effect/Redacted"

const N = Number(process.argv[2] ?? 200000), K = 1000, file = "/tmp/sqlstore/store.db"
const url = process.argv[3]
if (!url && process.env.KEEP === undefined) for (const s of ["", "-wal", "-shm"]) rmSync(file + s, { force: true })
const key = (i: number) => createHash("md5").update("k" + i).digest("hex")
const src = (i: number) => `The quick brown fox ${i} jumps over the lazy dog number ${i * 7} and then some more words`
const ns = { endpoint: "POST /v2/translate", service: "s", account: "a", targetLang: "de", settings: "{}" }
const client = url ? PgClient.layer({ url: Redacted.make(url) }) : LibsqlClient.layer({ filename: file })
const cpu = () => { const c = process.cpuUsage(); return c.user + c.system }
const program = Effect.gen(function* () {
  const store = yield* backends.make({})
  yield* store.openNamespace("ns", ns)
  let claimT = 0, claimC = 0, recT = 0, recC = 0, n = 0
  if (process.env.KEEP === undefined)
  for (let i = 0; i < N; i += K) {
    const t = Array.from({ length: K }, (_, j) => ({ key: key(i + j), text: src(i + j), translation: { text: "[de] " + src(i + j), detectedSourceLanguage: "en", billedCharacters: 90 } }))
    let t0 = performance.now(), c0 = cpu()
    const endings: any[] = []
    for (let r = 0; r < K; r += 50) {
      const attempt = crypto.randomUUID()
      yield* store.claim({ attempt, namespace: "ns", keys: t.slice(r, r + 50).map((x) => x.key), characters: Array(50).fill(90) })
      endings.push({ attempt, ending: "answered" })
    }
    claimT += performance.now() - t0; claimC += cpu() - c0
    t0 = performance.now(); c0 = cpu()
    yield* store.record({ namespace: "ns", translations: t, endings })
    recT += performance.now() - t0; recC += cpu() - c0
    n += K
    if (n % (N / 5) === 0 || n === 50000) {
      console.log(i + K, "claim µs/text wall", (claimT * 1e3 / n).toFixed(2), "cpu", (claimC / n).toFixed(2), "record wall", (recT * 1e3 / n).toFixed(2), "cpu", (recC / n).toFixed(2))
      if (n === N/5) { n = 0; claimT = claimC = recT = recC = 0 }
    }
  }
  for (const [name, gen] of [["seq", (r: number) => Array.from({ length: K }, (_, j) => key((r * K + j) % N))], ["rnd", () => Array.from({ length: K }, () => key(Math.random() * N | 0))], ["miss", () => Array.from({ length: K }, () => key(N + Math.random() * N | 0))], ["seq", (r: number) => Array.from({ length: K }, (_, j) => key((r * K + j) % N))]] as const) {
    let t = 0, c = 0
    const R = 100
    for (let r = 0; r < R; r++) {
      const ks = gen(r)
      const t0 = performance.now(), c0 = cpu()
      yield* store.find(ks)
      t += performance.now() - t0; c += cpu() - c0
    }
    console.log("find", name, "µs/key", (t * 1e3 / R / K).toFixed(2), "cpu", (c / R / K).toFixed(2), "keys/s", Math.round(R * K / t * 1e3))
  }
  const t0 = performance.now()
  const s = yield* store.stats
  console.log("stats ms", (performance.now() - t0) | 0, s.translations, s.bytes)
})
Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(Layer.merge(client, NodeFileSystem.layer))) as any).catch(console.error)
