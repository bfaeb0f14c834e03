/**
 * Removes the declarations of `dist/` that those of the entries do not reach: no program can name what is in them.
 *
 *     npx tsx scripts/declarations.ts
 */
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { globSync } from "tinyglobby"
import ts from "typescript"
import { entries } from "./entries.js"

const dist = fileURLToPath(new URL("../dist", import.meta.url))
const program = ts.createProgram(
  entries.map(({ module }) => `${dist}/${module}.d.ts`),
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, types: [] }
)
const reached = new Set(program.getSourceFiles().map(({ fileName }) => fileName))

for (const file of globSync("**/*.d.ts", { cwd: dist, absolute: true })) if (!reached.has(file)) rmSync(file)
