/** What `check-docs.ts` asks of one source module: documented exports, documented options, a bearable length. */
import { readFileSync } from "node:fs"
import { basename, sep } from "node:path"
import ts from "typescript"
import { internalOptions } from "./internalOptions.js"

const maxLines = 400
const categories =
  `models, errors, guards, constructors, layers, combinators, codecs, formats, constants, schemas, type ids, tags,
  accessors, contract`.split(/,\s+/)

export type Fail = (path: string, line: number, what: string) => void

/** The last block is the declaration's own: the first one of a file may be the file's. */
const docOf = (node: ts.Node) => ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)

const tagOf = (doc: ts.JSDoc, name: string) => {
  const tag = doc.tags?.find((tag) => tag.tagName.text === name)
  return tag && (ts.getTextOfJSDocComment(tag.comment) ?? "").trim()
}

const textOf = (doc: ts.JSDoc) => (ts.getTextOfJSDocComment(doc.comment) ?? "").trim()

const isInternal = (node: ts.Node) => ts.getJSDocTags(node).some((tag) => tag.tagName.text === "internal")

const has = (node: ts.Node, kind: ts.SyntaxKind) =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind)

const nameOf = (node: ts.Node): string => {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(nameOf).join(", ")
  if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamespaceExport(node.exportClause)) {
    return node.exportClause.name.text
  }
  return (node as ts.NamedDeclaration).name?.getText() ?? node.getText().split("\n")[0]!
}

export const checkModule = (path: string, fail: Fail) => {
  const text = readFileSync(path, "utf8")
  const lines = text.replace(/\n$/, "").split("\n").length
  if (lines > maxLines) fail(path, lines, `${lines} lines: split the module (at most ${maxLines})`)

  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  const isInternalModule = /^\/\*\*(?:(?!\*\/)[\s\S])*@internal/.test(text)
  // Nobody imports the command line.
  if (isInternalModule || path.split(sep).some((folder) => ["internal", "pages", "cli"].includes(folder)))
    return
  const failAt = (node: ts.Node, what: string) =>
    fail(
      node.getSourceFile().fileName,
      node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1,
      `${nameOf(node)} ${what}`
    )

  const checkDoc = (node: ts.Node, doc: ts.JSDoc | undefined, needsCategory: boolean) => {
    if (doc === undefined) return failAt(node, "has no doc block")
    const [first = ""] = textOf(doc).split(/\n\s*\n|```/)
    if (!/\w.*[.!?:](\W|$)/s.test(first))
      failAt(node, "has no first sentence (with a full stop) in its doc block")
    if (!/^\d+\.\d+\.\d+/.test(tagOf(doc, "since") ?? "")) failAt(node, "has no @since with a version")
    const category = tagOf(doc, "category")
    if (category === undefined && needsCategory) failAt(node, "has no @category")
    if (category !== undefined && !categories.includes(category))
      failAt(node, `has an unknown @category "${category}"`)
  }

  const checkOptions = (members: ts.NodeArray<ts.TypeElement>) => {
    for (const member of members) {
      const doc = docOf(member)
      if (doc === undefined || textOf(doc) === "")
        failAt(member, "has no doc line, but is a property of options")
    }
  }

  const checkStatements = (statements: ReadonlyArray<ts.Statement>, ambient: boolean) => {
    const overloaded = new Set<string>()
    for (const node of statements.filter((node) => !isInternal(node))) {
      if (ts.isExportDeclaration(node)) {
        const clause = node.exportClause
        const exported =
          clause && ts.isNamedExports(clause) ? clause.elements.filter((e) => !isInternal(e)) : [node]
        for (const each of exported) checkDoc(each, docOf(each) ?? docOf(node), basename(path) !== "index.ts")
      } else if (ambient || ts.isExportAssignment(node) || has(node, ts.SyntaxKind.ExportKeyword)) {
        if (ts.isFunctionDeclaration(node) && overloaded.has(nameOf(node))) continue
        if (ts.isFunctionDeclaration(node)) overloaded.add(nameOf(node))
        checkDoc(node, docOf(node), true)
        if (ts.isInterfaceDeclaration(node) && node.name.text.endsWith("Options")) checkOptions(node.members)
        if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body)) {
          checkStatements(node.body.statements, has(node, ts.SyntaxKind.DeclareKeyword))
        }
      }
    }
  }
  checkStatements([...source.statements, ...internalOptions(path, source)], false)
}
