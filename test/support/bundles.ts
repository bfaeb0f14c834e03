/** The programs of tests that run as processes of their own: bundled, they start in a quarter of the time. */
import * as esbuild from "esbuild"
import { globSync } from "tinyglobby"
import { cached, root } from "../../scripts/cached.js"
import { jsoncParser } from "../../scripts/jsoncParser.js"
import { textBundles } from "../../scripts/textBundles.js"
import { databaseDrivers } from "./databaseDrivers.js"

/** By their modules below `test`. */
const programs = [
  "document/crash/batch",
  "document/crash/emulator",
  "document/lock/starter",
  "runtime/program",
  "sql/crash/emulator",
  "sql/crash/program",
  "sql/crash/repetitions",
  "sql/worker",
  "sql/writer",
  "workflow/activities/emulator",
  "workflow/activities/worker",
  "workflow/chaos/reference",
  "workflow/chaos/service",
  "workflow/chaos/worker",
  "workflow/clusterWorker",
  "workflow/documents/emulator",
  "workflow/documents/worker",
  "workflow/limitWorker"
] as const

/** Bundles programs, by their paths below the root of the project, with their common parts in common files. */
export const bundle = (entryPoints: ReadonlyArray<string>, outdir: string) =>
  esbuild.build({
    absWorkingDir: root,
    entryPoints: [...entryPoints],
    outdir,
    outbase: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    metafile: true,
    platform: "node",
    format: "esm",
    alias: jsoncParser,
    external: ["msgpackr-extract", "pg-native"],
    plugins: [databaseDrivers, textBundles],
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);'
    },
    logLevel: "error"
  })

let found: Promise<string> | undefined

/** The bundle of a program. All of them are built at once, for each state of the sources and the tests. */
export const bundleOf = async (program: (typeof programs)[number]): Promise<string> => {
  found ??= cached(["package.json", ...globSync(["scripts/*.ts", "test/**/*.ts"], { cwd: root })], (folder) =>
    bundle(
      programs.map((name) => `test/${name}.ts`),
      folder
    )
  )
  return `${await found}/test/${program}.mjs`
}
