import { NodeFileSystem } from "@effect/platform-node"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rmSync } from "node:fs"
import * as backends from "./src/sql/internal/backend.js"
import * as LibsqlClient from "./src/sql/LibsqlClient.js"
const file = "/tmp/sqlstore/claim.db"
for (const s of ["", "-wal", "-shm"]) rmSync(file + s, { force: true })
const ns = { endpoint: "POST /v2/translate", service: "s", account: "a", targetLang: "de", settings: "{}" }
const cpu = () => { const c = process.cpuUsage(); return c.user + c.system }
const program = Effect.gen(function* () {
  const store = yield* backends.make({})
  yield* store.openNamespace("ns", ns)
  const keys = Array.from({ length: 50 }, (_, i) => (i * 7919).toString(16).padStart(32, "a")), characters = Array(50).fill(90)
  for (let round = 0; round < 6; round++) {
    const t0 = performance.now(), c0 = cpu()
    const ends: any[] = []; for (let i = 0; i < 1000; i++) {
      const attempt = crypto.randomUUID()
      yield* store.claim({ attempt, namespace: "ns", keys, characters })
      ends.push({ attempt, ending: "answered" as const }); if (i % 20 === 19) yield* store.record({ namespace: "ns", translations: [], endings: ends.splice(0) })
    }
    console.log("claim µs wall", (performance.now() - t0).toFixed(0), "cpu", ((cpu() - c0) / 1000).toFixed(0))
  }
})
Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(Layer.merge(LibsqlClient.layer({ filename: file }), NodeFileSystem.layer))) as any).catch(console.error)
