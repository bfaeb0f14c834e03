/**
 * Makes the JavaScript of the package; `tsc` adds its declarations, of which `declarations.ts` leaves those that programs reach. Begins a new `dist/`.
 *
 * - `dist/node`: the entries bundled for Node. Its loader would spend as much memory on the library's modules as they do themselves.
 * - The modules of the entries that browsers can load, each by itself, so that bundlers leave out what a program does not use.
 * - `dist/cli`: the command line.
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
import { textBundles } from "./textBundles.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = process.argv[2] ?? "dist"

const common = { absWorkingDir: root, format: "esm", logLevel: "warning" } as const

/** Bundles that share what they have in common. */
const bundles = {
  ...common,
  outdir: `${dist}/node`,
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "node"
} as const

/** The modules that the entries reach. */
const modulesOf = async (entryPoints: ReadonlyArray<string>): Promise<Array<string>> => {
  const { metafile } = await esbuild.build({
    ...bundles,
    entryPoints: [...entryPoints],
    metafile: true,
    write: false
  })
  return Object.keys(metafile.inputs)
}

const sourceOf = ({ module }: { readonly module: string }) => `src/${module}.ts`

rmSync(dist, { recursive: true, force: true })
await esbuild.build({
  ...bundles,
  entryPoints: entries.map(sourceOf),
  alias: jsoncParser,
  plugins: [textBundles, notices]
})
await esbuild.build({
  ...common,
  entryPoints: await modulesOf(entries.filter(({ isForBrowsers }) => isForBrowsers).map(sourceOf)),
  outbase: "src",
  outdir: dist
})
await bundleCli(`${dist}/cli`)
