/**
 * What `tsc --noEmit` and `effect-language-service diagnostics` say of the project, from one program. The latter alone makes
 * a new program for every 50 files: both together take 105 s of CPU, this takes 42 s, and finds the same.
 *
 *     npm run check:types
 */
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

/** The transformer that `@effect/language-service` has for ts-patch. It changes nothing, and adds diagnostics. */
type Transform = (
  program: ts.Program,
  config: unknown,
  extras: {
    readonly addDiagnostic: (diagnostic: ts.Diagnostic) => void
    readonly ts: typeof import("typescript")
  }
) => (context: unknown) => (file: ts.SourceFile) => ts.SourceFile

const project = fileURLToPath(new URL("../tsconfig.json", import.meta.url))
const { default: transform } = createRequire(import.meta.url)("@effect/language-service/transform") as {
  readonly default: Transform
}

const { config } = ts.readConfigFile(project, ts.sys.readFile)
const { errors, fileNames, options } = ts.parseJsonConfigFileContent(
  config,
  ts.sys,
  dirname(project),
  undefined,
  project
)
const program = ts.createProgram(fileNames, options)
const diagnostics = [...errors, ...ts.getPreEmitDiagnostics(program)]
const [plugin] = config.compilerOptions.plugins
const check = transform(program, plugin, { addDiagnostic: (found) => diagnostics.push(found), ts })(undefined)
for (const name of fileNames) check(program.getSourceFile(name)!)

if (diagnostics.length > 0) {
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => "\n"
  }
  console.error(ts.formatDiagnosticsWithColorAndContext(diagnostics, host))
  process.exitCode = 1
} else {
  console.log(`${fileNames.length} files are in order`)
}
