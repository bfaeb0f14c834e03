/**
 * Writes `docs/openapi.json` from the contract (`npm run openapi`), or only says whether it is what the contract gives
 * (`npm run check:openapi`).
 *
 *     npx tsx scripts/openapi.ts [--check]
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as Api from "effect-translate/api"

const file = "docs/openapi.json"
const document = `${JSON.stringify(Api.OpenApiDocument.make(), null, 2)}\n`

if (!process.argv.includes("--check")) {
  writeFileSync(file, document)
} else if (!existsSync(file) || readFileSync(file, "utf8") !== document) {
  console.error(`${file} is not what the contract gives: run "npm run openapi" and commit it`)
  process.exitCode = 1
}
