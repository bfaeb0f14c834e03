/** Programs as one deploys them: in one file, without what they do not use of their libraries. */
import { fileURLToPath } from "node:url"
import * as esbuild from "esbuild"

const pathOf = (module: string) => fileURLToPath(new URL(module, import.meta.url))

/** Bundles a module of this folder, and answers with the bundle's name. */
export const bundle = async (module: string): Promise<string> => {
  const bundled = module.replace(/\.js$/, ".bundle.js")
  await esbuild.build({
    entryPoints: [pathOf(module)],
    outfile: pathOf(bundled),
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url)'
    }
  })
  return bundled
}
