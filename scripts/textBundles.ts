/** Imports that end with `?bundle`: the script or the style of a page, bundled and minified, as a string. */
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as esbuild from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))

const suffix = /\?bundle$/

/** The modules of these bundles, for notices: those of the outer build do not name them. */
export const bundledInputs = new Set<string>()

/** A script or a style with all that it imports, for browsers of the last three years. */
export const bundled = async (path: string): Promise<string> => {
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    platform: "browser",
    target: ["chrome114", "firefox115", "safari16.4"],
    logLevel: "warning"
  })
  for (const input of Object.keys(metafile.inputs)) bundledInputs.add(input)
  return outputFiles[0]!.text.trim()
}

/** For esbuild. */
export const textBundles: esbuild.Plugin = {
  name: "text-bundles",
  setup: (build) => {
    build.onResolve({ filter: suffix }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(suffix, "")),
      namespace: "text-bundle"
    }))
    build.onLoad({ filter: /./, namespace: "text-bundle" }, async ({ path }) => ({
      contents: await bundled(path),
      loader: "text"
    }))
  }
}

const marker = "text-bundle:"

/** For vitest. The name hides what it is, as vite has an own way with styles. */
export const textBundlesOfVite = {
  name: "text-bundles",
  enforce: "pre" as const,
  resolveId: (id: string, importer: string | undefined) =>
    suffix.test(id) && importer !== undefined
      ? `${marker}${resolve(dirname(importer), id.replace(suffix, ""))}.text`
      : undefined,
  load: async (id: string) =>
    id.startsWith(marker)
      ? `export default ${JSON.stringify(await bundled(id.slice(marker.length, -".text".length)))}`
      : undefined
}
