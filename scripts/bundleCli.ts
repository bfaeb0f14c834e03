/**
 * Bundles the command line with all it needs, so that it starts fast and `npx` installs little. Only the database drivers are looked up,
 * as they have a binary for each platform.
 */
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as esbuild from "esbuild"
import { jsoncParser } from "./jsoncParser.js"
import { lazyPackages } from "./lazyPackages.js"
import { notices } from "./notices.js"
import { textBundles } from "./textBundles.js"
import { undiciClient } from "./undiciClient.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const require = createRequire(import.meta.url)

/** Without the part for Node, which looks for a native addition that has no need to be there. */
const msgpackr = { msgpackr: join(require.resolve("msgpackr"), "../../index.js") }

/** Once: a package below `require`s it, another one imports it. */
const acorn = { acorn: join(require.resolve("acorn"), "../acorn.mjs") }

/** What a command may do without. */
const lazy = lazyPackages({
  glob: ["minimatch"],
  html: ["parse5"],
  icu: ["@formatjs/icu-messageformat-parser"],
  markdown: [
    "mdast-util-from-markdown",
    "mdast-util-frontmatter",
    "mdast-util-gfm",
    "mdast-util-mdx",
    "micromark-extension-frontmatter",
    "micromark-extension-gfm",
    "micromark-extension-mdxjs",
    "micromark-util-decode-string"
  ],
  multipart: ["multipasta"],
  papaparse: ["papaparse"],
  routes: ["find-my-way-ts"],
  saxes: ["saxes"],
  yaml: ["yaml"]
})

export const bundleCli = (outdir: string): Promise<unknown> =>
  esbuild.build({
    absWorkingDir: root,
    entryPoints: ["src/cli/main.ts", "src/cli/emulator.ts"],
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    // The notices hold the licences.
    legalComments: "none",
    alias: { ...jsoncParser, ...msgpackr, ...acorn },
    plugins: [textBundles, undiciClient, lazy, notices],
    external: [
      "@aws-sdk/credential-provider-node",
      "@duckdb/node-api",
      "libsql",
      "pg-native",
      "eld/extrasmall"
    ],
    format: "esm",
    platform: "node",
    target: "node20",
    banner: {
      js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);'
    },
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning"
  })
