/**
 * Checks that a floor is no deeper than it may be: the longest path of its imports, those of types included.
 *
 *     npm run check:floors
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import ts from "typescript"

/** The most levels of a floor. */
const most = new Map([["src/job", 10]])

const importsOf = (path: string): ReadonlyArray<string> =>
  ts
    .preProcessFile(readFileSync(path, "utf8"))
    .importedFiles.filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => join(path, "..", fileName).replace(/\.js$/, ".ts"))

const modulesOf = (floor: string): ReadonlyArray<string> =>
  readdirSync(floor, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name !== "index.ts")
    .map((name) => join(floor, name))

/** The longest path from a module downwards. Fails at a circle, which has no end. */
const makePathOf = (imports: ReadonlyMap<string, ReadonlyArray<string>>) => {
  const known = new Map<string, ReadonlyArray<string>>()
  const pathOf = (module: string, above: ReadonlyArray<string> = []): ReadonlyArray<string> => {
    const path = known.get(module)
    if (path !== undefined) return path
    const begin = above.indexOf(module)
    if (begin !== -1) throw new Error(`circle: ${[...above.slice(begin), module].join(" -> ")}`)
    const below = (imports.get(module) ?? [])
      .filter((other) => imports.has(other))
      .map((other) => pathOf(other, [...above, module]))
    const longest = below.reduce((first, second) => (second.length > first.length ? second : first), [])
    known.set(module, [module, ...longest])
    return known.get(module)!
  }
  return pathOf
}

for (const [floor, levels] of most) {
  const pathOf = makePathOf(new Map(modulesOf(floor).map((module) => [module, importsOf(module)])))
  const paths = modulesOf(floor).map((module) => pathOf(module))
  const deepest = paths.reduce((first, second) => (second.length > first.length ? second : first), [])
  console.log(`${floor}: ${deepest.length} levels of ${levels}`)
  if (deepest.length > levels) {
    console.error(deepest.map((module) => `  ${relative(floor, module)}`).join("\n"))
    process.exitCode = 1
  }
}
