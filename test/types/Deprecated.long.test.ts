/** What the service calls deprecated is so in the types: editors strike it through. */
import { describe, expect, it } from "@effect/vitest"
import ts from "typescript"
import { root } from "../examples/process.js"

const name = `${root}/test/types/deprecated-block.ts`

const source = `import type { TranslateClient } from "effect-translate"
declare const client: TranslateClient.Service
declare const options: TranslateClient.TranslateOptions
client.monolingualGlossaries.languagePairs
client.languages.listV2
client.glossaries.list
options.enableBetaLanguages
options.formality
`

/** The names of members that the compiler reports as deprecated. */
const deprecated = (): ReadonlyArray<string> => {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
      : getSourceFile.call(host, file, ...rest)
  const program = ts.createProgram([name], options, host)
  const checker = program.getTypeChecker()
  return program
    .getSourceFile(name)!
    .statements.filter(ts.isExpressionStatement)
    .map(({ expression }) => expression as ts.PropertyAccessExpression)
    .filter(({ name }) =>
      checker
        .getSymbolAtLocation(name)!
        .getJsDocTags(checker)
        .some((tag) => tag.name === "deprecated")
    )
    .map(({ name }) => name.text)
}

describe("types", () => {
  it("mark what is deprecated, and nothing else", () => {
    expect(deprecated()).toEqual(["languagePairs", "listV2", "enableBetaLanguages"])
  })
})
