/** What the compiler says first of a misspelt field. */
import { rmSync, writeFileSync } from "node:fs"
import ts from "typescript"
import { afterAll, expect, it } from "vitest"
import { root } from "../examples/process.js"

const file = `${root}/test/types/.misspelt.ts`

/** The first lines of what the compiler says of these expressions. */
const firstLines = (...expressions: ReadonlyArray<string>): ReadonlyArray<string> => {
  writeFileSync(
    file,
    [
      'import * as Stream from "effect/Stream"',
      'import { TranslateStream } from "effect-translate"',
      'const rows = Stream.make({ sku: 1, title: "Mug", body: "Holds tea" })',
      'const options = { targetLang: "de" }',
      ...expressions.map((expression, index) => `export const e${index} = ${expression}`)
    ].join("\n")
  )
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const program = ts.createProgram([file], options)
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n").split("\n")[0]!)
}

afterAll(() => rmSync(file, { force: true }))

it("a misspelt field is named in the first line, with what was probably meant", () => {
  const lines = firstLines(
    'TranslateStream.translateFields(rows, ["titel"], options)',
    'rows.pipe(TranslateStream.translateFields(["titel"], options))',
    'rows.pipe(TranslateStream.translateField("titel", options))',
    'rows.pipe(TranslateStream.translateFields(["title", "sku"], options))'
  )
  expect(lines).toHaveLength(4)
  for (const line of lines.slice(0, 2)) expect(line).toMatch(/^Type '"titel"' .* Did you mean '"title"'\?$/)
  expect(lines[2]).toMatch(/^Argument of type '"titel"'/)
  expect(lines[3]).toMatch(/^Type '"sku"'/)
})
