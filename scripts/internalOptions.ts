/** Options of internal modules that a public module gives out: the rules for what is public hold for them too. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"

const isOptions = (node: ts.Statement): node is ts.InterfaceDeclaration =>
  ts.isInterfaceDeclaration(node) && node.name.text.endsWith("Options")

const isInternal = (node: ts.Node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal")

/** The options that a module exports from modules of a folder `internal`. */
export const internalOptions = (path: string, source: ts.SourceFile): ReadonlyArray<ts.Statement> =>
  source.statements.flatMap((node): ReadonlyArray<ts.Statement> => {
    if (!ts.isExportDeclaration(node) || node.moduleSpecifier === undefined) return []
    const module = (node.moduleSpecifier as ts.StringLiteral).text
    const { exportClause } = node
    if (!module.startsWith("./internal/") || exportClause === undefined || !ts.isNamedExports(exportClause))
      return []
    const names = new Set(exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text))
    const file = join(dirname(path), module.replace(/\.js$/, ".ts"))
    return ts
      .createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true)
      .statements.filter(
        (statement) => isOptions(statement) && names.has(statement.name.text) && !isInternal(statement)
      )
  })
