/** The entry points of the package. `exports` in `package.json` is their only list; `paths` in `tsconfig.json` repeats it. */
import { readFileSync } from "node:fs"
import { posix } from "node:path"

export interface Entry {
  /** What programs import: `effect-translate/icu`. */
  readonly name: string
  /** Its module below `src` and `dist`, without its extension: `text/index`. */
  readonly module: string
  /** Whether it is more than a bundle for Node. */
  readonly isForBrowsers: boolean
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly node?: string }>>
}

const manifest: Manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

export const entries: ReadonlyArray<Entry> = Object.entries(manifest.exports).flatMap(([path, files]) =>
  typeof files === "string" || path.includes("*")
    ? []
    : [
        {
          name: posix.join(manifest.name, path),
          module: files.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "$1"),
          isForBrowsers: files.node !== undefined
        }
      ]
)
