import * as Effect from "effect/Effect"
import * as esbuild from "esbuild"
import { writeFileSync } from "node:fs"
import { jsoncParser } from "./scripts/jsoncParser.js"
import { emulator, folderOf } from "./test/cli/process.js"
import { open } from "./test/cli/terminal.js"
const [columns, rows, to, count, script, ...flags] = process.argv.slice(2)
await esbuild.build({ entryPoints: ["dev.ts"], outfile: "node_modules/.cache/dev.mjs", bundle: true, platform: "node", format: "esm", alias: jsoncParser, external: ["libsql"], banner: { js: 'import { createRequire as c } from "node:module"; const require = c(import.meta.url);' }, logLevel: "error" })
await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
  const { env } = yield* emulator(...flags)
  const text = Array.from({ length: Number(count) }, (_, i) => JSON.stringify({ id: i, t: `This is sentence number ${i} of a text that is translated.` })).join("\n")
  const folder = yield* folderOf({ "a.jsonl": text })
  const s = yield* open([`${process.cwd()}/node_modules/.cache/dev.mjs`, "a.jsonl", to!], { folder, env: { ...env, ...(process.env.NO_TOTAL ? { NO_TOTAL: "1" } : {}) }, size: { columns: Number(columns), rows: Number(rows) }, program: [process.execPath] })
  const print = (what: string) => Effect.map(s.lines, (lines) => { console.log(`--- ${what}`); for (const l of lines) console.log(`|${l.padEnd(Number(columns))}|`) })
  for (const step of script!.split(" ")) {
    const [name, value] = step.split("=")
    if (name === "sleep") { yield* Effect.sleep(Number(value)); yield* print(step) }
    if (name === "c") yield* s.type("\u0003")
    if (name === "kill") yield* Effect.sync(() => process.kill(s.pty.pid, value as any))
    if (name === "resize") { const [c, r] = value!.split("x").map(Number); yield* s.resize({ columns: c!, rows: r! }) }
    if (name === "end") { const code = yield* s.ended; yield* print(`end ${code} restored ${s.isRestored()}`) }
  }
  writeFileSync("/tmp/dev/bytes", s.bytes())
})))
