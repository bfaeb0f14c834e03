import { createRequire } from "node:module"
import type { Plugin } from "esbuild"

/** Drivers load binaries by their own place, so programs that are bundled elsewhere import them from where they are. */
export const databaseDrivers: Plugin = {
  name: "database-drivers",
  setup: ({ onResolve }) => {
    const { resolve } = createRequire(import.meta.url)
    onResolve({ filter: /^(libsql|@duckdb\/node-api)$/ }, ({ path }) => ({
      path: resolve(path),
      external: true
    }))
    // The module that `import` finds, unlike `require`: it has names.
    const pg = resolve("pg/package.json").replace("package.json", "esm/index.mjs")
    onResolve({ filter: /^pg$/ }, ({ kind }) => ({
      path: kind === "import-statement" ? pg : resolve("pg"),
      external: true
    }))
  }
}
