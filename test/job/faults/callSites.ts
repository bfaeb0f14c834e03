/** All call sites in `src` that reach the file system, the driver of a file of SQLite, or the service: found in the sources. */
import { readdirSync, readFileSync } from "node:fs"
import type * as HttpApi from "@effect/platform/HttpApi"
import ts from "typescript"
import { TranslateApi } from "../../../src/api/TranslateApi.js"
import { root } from "./disturbance.js"
import { opening } from "./statements.js"

export interface CallSite {
  readonly file: string
  readonly line: number
  /** The top-level declaration that it is in, and what it calls. */
  readonly name: string
  /** How much of what a run calls it says: nothing if it is another call, and all of it at most. */
  readonly matches: (called: string) => number
}

const nodes = function* (node: ts.Node): Generator<ts.Node> {
  yield node
  const children: Array<ts.Node> = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) yield* nodes(child)
}

/** All nodes of those modules that may hold a call site of their kind. */
const nodesOf = (mayHold: (file: string, text: string) => boolean): ReadonlyArray<ts.Node> =>
  readdirSync(`${root}src`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(`${root}src/${file}`, "utf8")
      return mayHold(file, text)
        ? [...nodes(ts.createSourceFile(`src/${file}`, text, ts.ScriptTarget.Latest, true))]
        : []
    })

const lineOf = (node: ts.Node): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1

/** The top-level declaration around a node. */
const declarationOf = (node: ts.Node): string => {
  let outer = node
  while (!ts.isSourceFile(outer.parent)) outer = outer.parent
  if (ts.isVariableStatement(outer)) return outer.declarationList.declarations[0]!.name.getText()
  return ts.isClassDeclaration(outer) || ts.isFunctionDeclaration(outer) ? (outer.name?.text ?? "") : ""
}

/** Methods of `FileSystem` and of its `File`. */
const methods = new Set(
  (
    "access chmod chown copy copyFile exists link makeDirectory makeTempDirectory makeTempDirectoryScoped makeTempFile " +
    "makeTempFileScoped open read readAlloc readDirectory readFile readFileString readLink realPath remove rename seek sink " +
    "stat stream symlink sync truncate utimes watch write writeAll writeFile writeFileString"
  ).split(" ")
)

/** What modules call a file system, or an open file. */
const receivers = new Set(["fs", "file", "opened", "log"])

const isModule = (name: ts.Identifier) => name.getSourceFile().text.includes(`import * as ${name.text} from`)

const fileCall = (node: ts.Node): CallSite | undefined => {
  if (!ts.isPropertyAccessExpression(node) || !methods.has(node.name.text)) return
  const { expression } = node
  if (!ts.isIdentifier(expression) || !receivers.has(expression.text) || isModule(expression)) return
  const { fileName: file } = node.getSourceFile()
  const line = lineOf(node.name)
  const method = node.name.text
  const called = `${file}:${line} ${method}`
  return {
    file,
    line,
    name: `${declarationOf(node)}: ${method}`,
    matches: (other) => Number(other === called)
  }
}

const keyword =
  /^\s*(?:ALTER|ANALYZE|BEGIN|COMMIT|CREATE|DELETE|DROP|INSERT|PRAGMA|REPLACE|ROLLBACK|SAVEPOINT|SELECT|SET|UPDATE|VACUUM|VALUES|WITH)\b/

const plain = (sql: string) => sql.replaceAll(/\s+/g, " ").replaceAll(/\$(?=\d)/g, "?")

const escape = (text: string) => plain(text).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

const partsOf = (node: ts.Node): ReadonlyArray<string> | undefined => {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (!ts.isTemplateExpression(node)) return
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
}

const statement = (node: ts.Node): CallSite | undefined => {
  const parts = partsOf(node)
  if (parts === undefined || !keyword.test(parts[0]!)) return
  const { fileName: file } = node.getSourceFile()
  const pattern = parts.map(escape).join(".*?")
  const whole = new RegExp(`^${pattern}$`)
  const part = new RegExp(pattern)
  const weight = parts.join("").length
  const [words = ""] = /^\s*\w+(?: [\w@]+){0,3}/.exec(plain(parts.join("…"))) ?? []
  return {
    file,
    line: lineOf(node),
    name: `${declarationOf(node)}: ${words.trim()}`,
    matches: (sql) => (whole.test(sql) ? 1e6 + weight : part.test(sql) ? weight : 0)
  }
}

const open = (node: ts.Node): CallSite | undefined =>
  ts.isNewExpression(node) && node.expression.getText() === "Database"
    ? {
        file: node.getSourceFile().fileName,
        line: lineOf(node),
        name: `${declarationOf(node)}: new Database`,
        matches: (called) => Number(called === opening)
      }
    : undefined

/** The endpoints of the contract: each is called by the one `execute` of the client. */
const endpoints = (): ReadonlyArray<CallSite> => {
  const groups: HttpApi.HttpApi.AnyWithProps["groups"] = TranslateApi.groups as never
  return Object.values(groups).flatMap((group) =>
    Object.values(group.endpoints).map(({ method, name, path }): CallSite => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/:[^/]+/g, "[^/]+")}$`)
      return {
        file: "src/client",
        line: 0,
        name: `${group.identifier}: ${method} ${path} (${name})`,
        matches: (called) => (pattern.test(called) ? path.replaceAll(/:[^/]+/g, "").length : 0)
      }
    })
  )
}

const found = (nodes: ReadonlyArray<ts.Node>, toSite: (node: ts.Node) => CallSite | undefined) =>
  nodes.flatMap((node) => toSite(node) ?? [])

/** All of them. */
export const find = (): ReadonlyArray<CallSite> => {
  const inSql = nodesOf((file) => file.startsWith("sql/"))
  const ofFiles = nodesOf((_, text) => text.includes("FileSystem"))
  return [...found(ofFiles, fileCall), ...found(inSql, open), ...found(inSql, statement), ...endpoints()]
}

/** A list of statements is several; rows that may hold any bytes are asked for by one around another. */
const statementsOf = (called: string): ReadonlyArray<string> => {
  const inner = /^WITH listed \(.*?\) AS \((.*)\) SELECT CAST\(json_group_array/.exec(plain(called))?.[1]
  return inner === undefined ? plain(called).split(";") : [inner]
}

/** The call sites that a call may come from: those that say most of it. */
export const sitesOf = (sites: ReadonlyArray<CallSite>, called: string): ReadonlyArray<CallSite> =>
  statementsOf(called).flatMap((called) => {
    const most = Math.max(...sites.map((site) => site.matches(called)))
    return most <= 0 ? [] : sites.filter((site) => site.matches(called) === most)
  })
