/** The command line as its bundle: built once for each state of the sources. */
import { bundleCli } from "./bundleCli.js"
import { cached } from "./cached.js"

let found: Promise<string> | undefined

/** The folder of `main.js`, the command line. */
export const cliBundle = (): Promise<string> => {
  found ??= cached(["scripts/bundleCli.ts", "scripts/textBundles.ts", "package.json"], bundleCli)
  return found
}
