import { createRequire } from "node:module"
import type { Plugin } from "esbuild"

/** Drivers load binaries by their own place, so programs that are bundled elsewhere import them from where they are. */
export const databaseDrivers: Plugin = {
  name: "database-drivers",
  setup: ({ onResolve }) => {
    const { resolve } = createRequire(import.meta.url)
    onResolve({ filter: /^(libsql|pg)$/ }, ({ path }) => ({ path: resolve(path), external: true }))
  }
}
