/**
 * What `tsc --noEmit` and `effect-language-service diagnostics` say of the project, from one program. The latter alone makes
 * a new program for every 50 files: both together take 2.5 times the CPU, and find the same. Two processes check the files of tests and all
 * others, side by side.
 *
 *     npm run check:types
 */
import { fork } from "node:child_process"
import { once } from "node:events"
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

interface Rules {
  readonly definitions: {
    readonly effectLanguageServicePluginDiagnosticSeverityDefinition: {
      readonly properties: Readonly<Record<string, { readonly default: string }>>
    }
  }
}

const project = fileURLToPath(new URL("../tsconfig.json", import.meta.url))
const require = createRequire(import.meta.url)
const { default: transform } = require("@effect/language-service/transform") as {
  readonly default: Transform
}

/** The rules that only suggest are for editors: the transformer drops what they find. */
const suggestionsOff = () => {
  const { definitions } = require("@effect/language-service/schema.json") as Rules
  return Object.fromEntries(
    Object.entries(definitions.effectLanguageServicePluginDiagnosticSeverityDefinition.properties)
      .filter(([, rule]) => rule.default === "suggestion")
      .map(([name]) => [name, "off"])
  )
}

const { config } = ts.readConfigFile(project, ts.sys.readFile)
const { errors, fileNames, options } = ts.parseJsonConfigFileContent(
  config,
  ts.sys,
  dirname(project),
  undefined,
  project
)

const isTest = (name: string) => name.startsWith(`${dirname(project)}/test/`)

const parts: Readonly<Record<string, (name: string) => boolean>> = {
  tests: isTest,
  others: (name) => !isTest(name)
}

const check = (isChecked: (name: string) => boolean): void => {
  const program = ts.createProgram(fileNames, options)
  const diagnostics = [...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()]
  const [plugin] = config.compilerOptions.plugins
  const extras = { addDiagnostic: (found: ts.Diagnostic) => diagnostics.push(found), ts }
  const checking = (off: Readonly<Record<string, string>>) =>
    transform(program, { ...plugin, diagnosticSeverity: off }, extras)(undefined)
  const off = suggestionsOff()
  // It looks at all files of the program, whichever it is given, and takes a quarter of the time of all rules.
  const checkEffects = checking({ ...off, duplicatePackage: "off" })
  checking(off)(program.getSourceFile(fileNames[0]!)!)
  for (const name of fileNames.filter(isChecked)) {
    const file = program.getSourceFile(name)!
    diagnostics.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file))
    checkEffects(file)
  }
  if (diagnostics.length === 0) return
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => "\n"
  }
  console.error(ts.formatDiagnosticsWithColorAndContext(ts.sortAndDeduplicateDiagnostics(diagnostics), host))
  process.exitCode = 1
}

const part = process.argv[2]
if (part === undefined) {
  const ends = Object.keys(parts).map((name) => once(fork(fileURLToPath(import.meta.url), [name]), "exit"))
  const isInOrder = (await Promise.all(ends)).every(([code]) => code === 0)
  if (isInOrder) console.log(`${fileNames.length} files are in order`)
  else process.exitCode = 1
} else {
  check(parts[part]!)
}
