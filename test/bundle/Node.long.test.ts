/** What Node loads is bundled; it offers what the modules do. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import ts from "typescript"
import { entries } from "../../scripts/entries.js"

const root = fileURLToPath(new URL("../..", import.meta.url))
// Inside the project, so that it finds what it depends on.
const dist = mkdtempSync(`${root}node_modules/.bundle-`)

type Exports = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The namespaces of an entry; those of the contract are in one. */
const namespacesOf = ({ Api, ...exports }: Exports): Exports => ({ ...exports, ...(Api as Exports) })

const modulesOf = async (name: string): Promise<Exports> => namespacesOf(await import(name))

const bundleOf = async (module: string): Promise<Exports> =>
  namespacesOf(await import(pathToFileURL(`${dist}/node/${module}.js`).href))

const namesOf = (exports: Exports) =>
  Object.fromEntries(Object.entries(exports).map(([name, module]) => [name, Object.keys(module).sort()]))

/** The objects and functions that are exported at several places: where. */
const placesOf = (exports: ReadonlyArray<readonly [name: string, Exports]>) => {
  const places = new Map<unknown, Array<string>>()
  for (const [entry, namespaces] of exports) {
    for (const [name, module] of Object.entries(namespaces)) {
      for (const [member, value] of Object.entries(module)) {
        if (Object(value) !== value) continue
        const known = places.get(value)
        const place = `${entry} ${name}.${member}`
        if (known === undefined) places.set(value, [place])
        else known.push(place)
      }
    }
  }
  return Array.from(places.values(), (found) => found.sort().join(", "))
    .filter((found) => found.includes(", "))
    .sort()
}

describe("the entries", () => {
  it("are the paths of tsconfig.json", () => {
    const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
    expect(config.compilerOptions.paths).toEqual(
      Object.fromEntries(entries.map(({ module, name }) => [name, [`./src/${module}.ts`]]))
    )
  })

  it("hold each namespace once", async () => {
    const namespaces = (await Promise.all(entries.map(({ name }) => modulesOf(name)))).flatMap(Object.values)
    expect(new Set(namespaces).size).toBe(namespaces.length)
  })
})

describe("the bundle for Node", () => {
  beforeAll(() => {
    execFileSync("npx", ["tsx", "scripts/bundle.ts", dist], { cwd: root, stdio: "pipe" })
  })
  afterAll(() => rmSync(dist, { recursive: true }))

  it.each(entries)("offers in $name the members of the modules", async ({ module, name }) => {
    expect(namesOf(await bundleOf(module))).toEqual(namesOf(await modulesOf(name)))
  })

  it("holds each module once, whatever entry it is reached by", async () => {
    const loaded = (load: (entry: (typeof entries)[number]) => Promise<Exports>) =>
      Promise.all(entries.map(async (entry) => [entry.name, await load(entry)] as const))
    const places = placesOf(await loaded(({ name }) => modulesOf(name)))
    expect(places).toContain(
      "effect-translate/api Document.Status, effect-translate/documents Documents.Status"
    )
    expect(placesOf(await loaded(({ module }) => bundleOf(module)))).toEqual(places)
  })
})
