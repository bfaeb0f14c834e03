/**
 * Bundles the page of the jobs (`src/cli/jobsPage`) into a module of the library, as text (`npm run page`), or only says whether it is what
 * the sources give (`npm run check:page`). The library is also used without a bundler, where imports of `?bundle` do not work.
 *
 *     npx tsx scripts/jobsPage.ts [--check]
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { bundled } from "./textBundles.js"

const file = fileURLToPath(new URL("../src/workflow/internal/jobsPageText.ts", import.meta.url))
const source = (name: string) => fileURLToPath(new URL(`../src/cli/jobsPage/${name}`, import.meta.url))

const module = `// Made by "npm run page" of src/cli/jobsPage: change it there.
/** The script of the page of the jobs. */
export const script: string = ${JSON.stringify(await bundled(source("main.ts")))}
/** Its style. */
export const style: string = ${JSON.stringify(await bundled(source("page.css")))}
`

if (!process.argv.includes("--check")) {
  writeFileSync(file, module)
} else if (!existsSync(file) || readFileSync(file, "utf8") !== module) {
  console.error(`${file} is not what src/cli/jobsPage gives: run "npm run page" and commit it`)
  process.exitCode = 1
}
