/** Compiled code that Node keeps from one run to the next. */
import * as module from "node:module"
import { isAbsolute, join } from "node:path"

/** The folder of the user for caches; none if the environment does not name one. */
const cacheFolder = ({ HOME, LOCALAPPDATA, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string | undefined =>
  [XDG_CACHE_HOME, process.platform === "win32" ? LOCALAPPDATA : HOME && join(HOME, ".cache")].find(
    (folder) => folder !== undefined && isAbsolute(folder)
  )

/** Not in Node 20. Of a folder that can't be written Node says nothing, and compiles anew. */
const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown }

/** Lets Node keep its compiled code from here on, in a folder of the user's own: the shared temporary one is open to others. */
export const enable = (): void => {
  const folder = cacheFolder(process.env)
  if (folder !== undefined) enableCompileCache?.(join(folder, "effect-translate"))
}
