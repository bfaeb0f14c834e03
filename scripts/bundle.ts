/**
 * Bundles the entries for Node, beside the modules that bundlers take: Node's loader would spend as much memory on the
 * library's 135 modules as they do themselves. Begins a new `dist/`.
 *
 *     npx tsx scripts/bundle.ts [dist]
 */
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as esbuild from "esbuild"
import { bundleCli } from "./bundleCli.js"
import { entries } from "./entries.js"
import { jsoncParser } from "./jsoncParser.js"
import { notices } from "./notices.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = process.argv[2] ?? "dist"

rmSync(dist, { recursive: true, force: true })
await esbuild.build({
  absWorkingDir: root,
  entryPoints: entries.map(({ module }) => `src/${module}.ts`),
  outdir: `${dist}/node`,
  bundle: true,
  splitting: true,
  packages: "external",
  alias: jsoncParser,
  plugins: [notices],
  format: "esm",
  platform: "node",
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning"
})
await bundleCli(`${dist}/cli`)
