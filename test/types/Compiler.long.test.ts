/** The compiler over each export of each entry, and over programs that use them: what an editor shows, and what it complains of. */
import ts from "typescript"
import { expect, it } from "vitest"
import { entries } from "../../scripts/entries.js"
import { root } from "../examples/process.js"

/** Programs, by their modules below this folder, which are not there. */
const programs = {
  deprecated: `import type { TranslateClient } from "effect-translate"
declare const client: TranslateClient.Service
declare const options: TranslateClient.TranslateOptions
client.monolingualGlossaries.languagePairs
client.languages.listV2
client.glossaries.list
options.enableBetaLanguages
options.formality
`,
  misspelt: `import * as Stream from "effect/Stream"
import { TranslateStream } from "effect-translate"
const rows = Stream.make({ sku: 1, title: "Mug", body: "Holds tea" })
const options = { targetLang: "de" }
export const all = TranslateStream.translateFields(rows, ["titel"], options)
export const piped = rows.pipe(TranslateStream.translateFields(["titel"], options))
export const one = rows.pipe(TranslateStream.translateField("titel", options))
export const second = rows.pipe(TranslateStream.translateFields(["title", "sku"], options))
`
}

const pathOf = (name: string) => `${root}/test/types/${name}-program.ts`
const sources = new Map(Object.entries(programs).map(([name, source]) => [pathOf(name), source]))
const modules = entries.map(({ module }) => `${root}/src/${module}.ts`)

const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
const host = ts.createCompilerHost(options)
const { getSourceFile } = host
host.getSourceFile = (file, ...rest) => {
  const source = sources.get(file)
  return source === undefined
    ? getSourceFile.call(host, file, ...rest)
    : ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
}
const program = ts.createProgram([...modules, ...sources.keys()], options, host)
const checker = program.getTypeChecker()

const isOurs = (node: ts.Node) => node.getSourceFile().fileName.startsWith(`${root}/src/`)

const resolved = (symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

/** All that entries export, namespaces opened, by the declaration. */
const exported = (() => {
  const found = new Map<ts.Symbol, string>()
  const add = (symbol: ts.Symbol, name: string) => {
    const target = resolved(symbol)
    const opens = target.declarations?.some((each) => ts.isSourceFile(each) && isOurs(each)) === true
    if (found.has(target)) return
    found.set(target, name)
    if (!opens) return
    for (const member of checker.getExportsOfModule(target)) add(member, `${name}.${member.name}`)
  }
  for (const module of modules) {
    const source = checker.getSymbolAtLocation(program.getSourceFile(module)!)!
    for (const symbol of checker.getExportsOfModule(source)) add(symbol, symbol.name)
  }
  return found
})()

const isInternal = (symbol: ts.Symbol) => symbol.getJsDocTags(checker).some(({ name }) => name === "internal")

const isFunction = (symbol: ts.Symbol) =>
  (symbol.flags & (ts.SymbolFlags.Variable | ts.SymbolFlags.Function)) !== 0

const functions = Array.from(exported).flatMap(([symbol, name]) =>
  isFunction(symbol) && !isInternal(symbol)
    ? checker
        .getSignaturesOfType(
          checker.getTypeOfSymbolAtLocation(symbol, symbol.declarations![0]!),
          ts.SignatureKind.Call
        )
        .flatMap((signature, _, all) =>
          signature.declaration !== undefined && isOurs(signature.declaration)
            ? [{ name, signature, isOverloaded: all.length > 1 }]
            : []
        )
    : []
)

/** Names of types in a signature that no entry exports. */
const privateNames = (declaration: ts.Node): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) return
    if (ts.isTypeReferenceNode(node)) {
      const symbol = checker.getSymbolAtLocation(node.typeName)
      const target = symbol && resolved(symbol)
      const place = target?.declarations?.[0]
      if (place && isOurs(place) && !ts.isTypeParameterDeclaration(place) && !exported.has(target))
        found.push(node.typeName.getText())
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(declaration, (child) => {
    if (child !== (declaration as ts.FunctionLikeDeclaration).body) visit(child)
  })
  return found
}

it("each overload of a function has its documentation", () => {
  const bare = functions
    .filter(
      ({ isOverloaded, signature }) => isOverloaded && signature.getDocumentationComment(checker).length === 0
    )
    .map(({ name }) => name)
  expect([...new Set(bare)].sort()).toEqual([])
})

it("each function spells out its types, by names that can be imported", () => {
  const hidden = functions.flatMap(({ name, signature }) =>
    privateNames(signature.declaration!).map((type) => `${name}: ${type}`)
  )
  expect([...new Set(hidden)].sort()).toEqual([])
})

it("each parameter of a function has a name", () => {
  const unnamed = functions
    .filter(({ signature }) =>
      signature.parameters.some(
        ({ valueDeclaration }) =>
          valueDeclaration && ts.isParameter(valueDeclaration) && !ts.isIdentifier(valueDeclaration.name)
      )
    )
    .map(({ name }) => name)
  expect([...new Set(unnamed)].sort()).toEqual([])
})

it("each export is described", () => {
  const bare = Array.from(exported).flatMap(([symbol, name]) =>
    !isInternal(symbol) &&
    symbol.declarations?.some(isOurs) === true &&
    !symbol.declarations.some(ts.isSourceFile) &&
    symbol.getDocumentationComment(checker).length === 0
      ? [name]
      : []
  )
  expect(bare.sort()).toEqual([])
})

it("deprecated exports are marked, and nothing else", () => {
  const marked = program
    .getSourceFile(pathOf("deprecated"))!
    .statements.filter(ts.isExpressionStatement)
    .map(({ expression }) => (expression as ts.PropertyAccessExpression).name)
    .filter((name) =>
      checker
        .getSymbolAtLocation(name)!
        .getJsDocTags(checker)
        .some((tag) => tag.name === "deprecated")
    )
    .map(({ text }) => text)
  expect(marked).toEqual(["languagePairs", "listV2", "enableBetaLanguages"])
})

it("a misspelt field is named in the first line, with the probable name", () => {
  const lines = program
    .getSemanticDiagnostics(program.getSourceFile(pathOf("misspelt")))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n").split("\n")[0]!)
  expect(lines).toHaveLength(4)
  for (const line of lines.slice(0, 2)) expect(line).toMatch(/^Type '"titel"' .* Did you mean '"title"'\?$/)
  expect(lines[2]).toMatch(/^Argument of type '"titel"'/)
  expect(lines[3]).toMatch(/^Type '"sku"'/)
})
