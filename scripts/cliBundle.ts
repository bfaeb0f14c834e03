/** The command line as its bundle: built once for each state of the sources. */
import { createHash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundleCli } from "./bundleCli.js"

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")

/** Below `node_modules`, so that the bundle finds the database driver. */
const cache = `${root}/node_modules/.cache/effect-translate`

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]
  )

const stateOfSources = () => {
  const hash = createHash("sha256")
  for (const file of [
    ...filesBelow(`${root}/src`),
    ...["scripts/bundleCli.ts", "scripts/textBundles.ts", "package.json"].map((name) => `${root}/${name}`)
  ]) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest("hex").slice(0, 16)
}

const built = async () => {
  const name = stateOfSources()
  const folder = `${cache}/${name}`
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const draft = `${cache}/draft-${randomUUID()}`
  await bundleCli(draft)
  try {
    renameSync(draft, folder)
  } catch {
    // Another worker was faster.
    rmSync(draft, { recursive: true, force: true })
  }
  for (const other of readdirSync(cache)) {
    const path = join(cache, other)
    if (other !== name && Date.now() - statSync(path).mtimeMs > 3_600_000) {
      rmSync(path, { recursive: true, force: true })
    }
  }
  return folder
}

let found: Promise<string> | undefined

/** The folder of `main.js`, the command line. */
export const cliBundle = (): Promise<string> => {
  found ??= built()
  return found
}
