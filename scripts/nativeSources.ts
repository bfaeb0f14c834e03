/**
 * Lets tests load the modules of `src` as Node does, from JavaScript that esbuild makes of all of them at once. vite would
 * transform each by itself and hand it over to each worker.
 */
import { writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import * as esbuild from "esbuild"
import { globSync } from "tinyglobby"
import type { Plugin } from "vitest/config"
import { cached, root } from "./cached.js"
import { textBundles } from "./textBundles.js"

/** Each module stays one by itself: nothing is there twice, however it is reached. */
const oneByOne: esbuild.Plugin = {
  name: "one-by-one",
  setup: (build) =>
    build.onResolve({ filter: /^\.\.?\// }, ({ kind, path }) =>
      kind === "entry-point" ? undefined : { path, external: true }
    )
}

const build = async (outdir: string): Promise<void> => {
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: globSync("src/**/*.ts", { cwd: root, ignore: "**/*.d.ts" }),
    outbase: ".",
    outdir,
    bundle: true,
    format: "esm",
    packages: "external",
    platform: "node",
    plugins: [textBundles, oneByOne],
    sourcemap: true,
    logLevel: "warning"
  })
  writeFileSync(join(outdir, "package.json"), JSON.stringify({ type: "module" }))
}

let folder: string | undefined

/** A run that watches goes on with the sources, which it follows. */
export const nativeSources: Plugin = {
  name: "native-sources",
  enforce: "pre",
  async configureVitest({ vitest }) {
    folder = vitest.config.watch
      ? undefined
      : await cached(["scripts/nativeSources.ts", "scripts/textBundles.ts"], build)
  },
  async resolveId(id, importer) {
    if (folder === undefined || importer === undefined || id.includes("?")) return undefined
    const path = (await this.resolve(id, importer, { skipSelf: true }))?.id
    return path?.startsWith(`${root}/src/`) && path.endsWith(".ts")
      ? join(folder, relative(root, path).replace(/ts$/, "js"))
      : undefined
  }
}
