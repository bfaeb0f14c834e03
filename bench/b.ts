import { startServer, measure } from "./processes.js"
const s = await startServer()
const n = Number(process.argv[2] ?? 100000)
for (const l of ["en","ja"]) for (const sub of (process.argv[3]??"ours,deepl,undici").split(",")) {
  const m = await measure(sub, s.url, l, n, 8)
  const meter = await s.meter()
  console.log(l, sub, m, meter)
}
s.stop()
