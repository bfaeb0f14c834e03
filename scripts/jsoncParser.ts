import { createRequire } from "node:module"
import { join } from "node:path"

/**
 * The ES modules of jsonc-parser, as an alias for esbuild. Its `main` is a UMD module, which loads its parts in a way that bundlers for
 * Node do not see; Node itself does not take its ES modules.
 */
export const jsoncParser = {
  "jsonc-parser": join(createRequire(import.meta.url).resolve("jsonc-parser"), "../../esm/main.js")
}
