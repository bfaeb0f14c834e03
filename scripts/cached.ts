/** What is made of the sources, once for each state of them. */
import { createHash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")

/** Below `node_modules`, so that what is made finds packages. */
const cache = `${root}/node_modules/.cache/effect-translate`

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]
  )

/** The sources, and the programs that make something of them. */
const stateOf = (programs: ReadonlyArray<string>) => {
  const hash = createHash("sha256")
  for (const file of [...filesBelow(`${root}/src`), ...programs.map((name) => `${root}/${name}`)]) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest("hex").slice(0, 16)
}

/** The folder of what `make` writes into a folder, by the sources and these files. */
export const cached = async (
  programs: ReadonlyArray<string>,
  make: (folder: string) => Promise<unknown>
): Promise<string> => {
  const name = stateOf(programs)
  const folder = `${cache}/${name}`
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const draft = `${cache}/draft-${randomUUID()}`
  await make(draft)
  try {
    renameSync(draft, folder)
  } catch {
    // Another worker was faster.
    rmSync(draft, { recursive: true, force: true })
  }
  for (const other of readdirSync(cache)) {
    const path = join(cache, other)
    // Another worker may have renamed its draft by now.
    const stat = statSync(path, { throwIfNoEntry: false })
    if (other !== name && stat !== undefined && Date.now() - stat.mtimeMs > 3_600_000) {
      rmSync(path, { recursive: true, force: true })
    }
  }
  return folder
}
