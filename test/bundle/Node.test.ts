/** What Node loads is bundled; it offers what the modules do. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as core from "effect-translate"
import * as api from "effect-translate/api"
import * as emulator from "effect-translate/emulator"
import * as icu from "effect-translate/icu"

const root = fileURLToPath(new URL("../..", import.meta.url))
// Inside the project, so that it finds what it depends on.
const dist = mkdtempSync(`${root}node_modules/.bundle-`)

type Entry = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const bundled = async (name: string): Promise<Entry> =>
  await import(pathToFileURL(`${dist}/node/${name}.js`).href)

const namesOf = (entry: Entry) =>
  Object.fromEntries(Object.entries(entry).map(([name, module]) => [name, Object.keys(module).sort()]))

describe("the bundle for Node", () => {
  beforeAll(() => {
    execFileSync("npx", ["tsx", "scripts/bundle.ts", dist], { cwd: root, stdio: "pipe" })
  })
  afterAll(() => rmSync(dist, { recursive: true }))

  it.each<[string, Entry]>([
    ["index", core],
    ["api/index", api],
    ["icu/index", icu],
    ["emulator/index", emulator]
  ])("offers in %s what the modules offer", async (name, modules) => {
    expect(namesOf(await bundled(name))).toEqual(namesOf(modules))
  })

  it("holds each module once, whatever entry it is reached by", async () => {
    const [core, api] = await Promise.all([bundled("index"), bundled("api/index")])
    const shared = Object.entries(core).flatMap(([name, members]) =>
      Object.keys(members)
        .filter((member) => member in (api[name] ?? {}))
        .map((member) => [name, member] as const)
    )
    expect(shared).toContainEqual(["GlossaryEntries", "fromTerms"])
    for (const [name, member] of shared)
      expect(api[name]![member], `${name}.${member}`).toBe(core[name]![member])
  })
})
