/**
 * What `check-docs.ts` asks of everything public that has a table somewhere: formats, checks, options and errors have their rows in the pages,
 * their tests, and their place in the tables of the command line.
 *
 * An option or an error counts as described or tested if some page or test names it as a word.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import ts from "typescript"
import * as Formats from "../src/format/Formats.js"
import * as Check from "../src/text/Check.js"
import type { Fail } from "./checkModule.js"
import { internalOptions } from "./internalOptions.js"
import { debts, endWithOne } from "./publicDebts.js"

export type Kind = "format" | "check" | "option" | "error"

/** Something public, and where it is declared. */
export interface Item {
  readonly kind: Kind
  readonly name: string
  /** Of an option, the interface that it is in. */
  readonly of?: string
  readonly path: string
  readonly line: number
}

/** What items are looked for in. */
export interface Texts {
  /** The first cells of the tables of formats and checks: `docs/formats.md` and `docs/checks.md`. */
  readonly rows: Readonly<Record<"format" | "check", string>>
  readonly pages: ReadonlySet<string>
  readonly tests: ReadonlySet<string>
  /** The names in quotes, and the members, of tests. */
  readonly named: ReadonlySet<string>
  /** The table of exit codes. */
  readonly exitCodes: ReadonlySet<string>
}

interface Rule {
  readonly of: ReadonlyArray<Kind>
  /** What a debt of it is called. */
  readonly debt: "page" | "test" | "exit code"
  readonly isKept: (item: Item, texts: Texts) => boolean
  readonly lacks: string
}

const rules: ReadonlyArray<Rule> = [
  {
    of: ["format", "check"],
    debt: "page",
    isKept: ({ kind, name }, { rows }) => new RegExp(`[\`.]${name}\``).test(rows[kind as "format" | "check"]),
    lacks: "has no row in the table of its page (docs/formats.md, docs/checks.md)"
  },
  {
    of: ["format", "check"],
    debt: "test",
    isKept: ({ name }, { named }) => named.has(name),
    lacks: "is named in no test (test/format, test/text)"
  },
  {
    of: ["option", "error"],
    debt: "page",
    isKept: ({ name }, { pages }) => pages.has(name),
    lacks: "is described on no page (README.md, docs)"
  },
  {
    of: ["option", "error"],
    debt: "test",
    isKept: ({ name }, { tests }) => tests.has(name),
    lacks: "is in no test"
  },
  {
    of: ["error"],
    debt: "exit code",
    isKept: ({ name }, { exitCodes }) => exitCodes.has(name),
    lacks:
      "has no exit code (src/cli/failure.ts), nor is it among those that end with 1 (scripts/publicDebts.ts)"
  }
]

const labelOf = ({ name, of }: Item): string => (of === undefined ? name : `${of}.${name}`)

/** Fails for each item that lacks something and is not among what is known to, and for what is and lacks nothing. */
export const checkItems = (
  items: ReadonlyArray<Item>,
  texts: Texts,
  known: ReadonlySet<string>,
  fail: Fail
): void => {
  const found = new Set<string>()
  for (const item of items) {
    for (const { debt, isKept, lacks, of } of rules) {
      if (!of.includes(item.kind) || isKept(item, texts)) continue
      const owed = `${debt}: ${labelOf(item)}`
      found.add(owed)
      if (!known.has(owed)) fail(item.path, item.line, `the ${item.kind} ${labelOf(item)} ${lacks}`)
    }
  }
  for (const owed of known) {
    if (!found.has(owed)) fail("scripts/publicDebts.ts", 1, `"${owed}" is paid: take it out of the list`)
  }
}

/** The names of the members of an interface or of a `Schema.Struct`. */
const membersOf = (node: ts.Node): ReadonlyArray<ts.Identifier> => {
  if (ts.isInterfaceDeclaration(node)) {
    return node.members.flatMap(({ name }) => (name !== undefined && ts.isIdentifier(name) ? [name] : []))
  }
  const struct = (inner: ts.Node): ts.ObjectLiteralExpression | undefined =>
    ts.isObjectLiteralExpression(inner) ? inner : ts.forEachChild(inner, struct)
  return (struct(node)?.properties ?? []).flatMap(({ name }) =>
    name !== undefined && ts.isIdentifier(name) ? [name] : []
  )
}

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

const isOptions = (name: string): boolean => name.endsWith("Options")

/** The options and errors that a module declares. */
export const declaredIn = (path: string, text: string): ReadonlyArray<Item> => {
  if (!/Options\b|TaggedError</.test(text)) return []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  const lineOf = (node: ts.Node) =>
    node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1
  const module = path.split(sep).at(-1)!.replace(/\.ts$/, "")
  const options = (of: string, node: ts.Node): ReadonlyArray<Item> =>
    membersOf(node).map((name) => ({
      kind: "option",
      name: name.text,
      of: `${module}.${of}`,
      path,
      line: lineOf(name)
    }))
  const statements = [...source.statements, ...internalOptions(path, source)]
  return statements.filter(isExported).flatMap((node): ReadonlyArray<Item> => {
    if (ts.isInterfaceDeclaration(node) && isOptions(node.name.text)) return options(node.name.text, node)
    if (ts.isVariableStatement(node)) {
      return node.declarationList.declarations.flatMap(({ initializer, name }) =>
        ts.isIdentifier(name) && isOptions(name.text) && initializer !== undefined
          ? options(name.text, initializer)
          : []
      )
    }
    if (!ts.isClassDeclaration(node) || !/extends\s+TaggedError</.test(node.getText())) return []
    const tag = /TaggedError<[^>]*>\([^)]*\)\(\s*"(\w+)"/.exec(node.getText())?.[1] ?? node.name!.text
    return [{ kind: "error", name: tag, path, line: lineOf(node) }]
  })
}

const filesBelow = (folder: string, ending: RegExp): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

const textsOf = (files: ReadonlyArray<string>): string =>
  files.map((file) => readFileSync(file, "utf8")).join("\n")

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/[^\w-]+/))

/** The first cells of the rows of tables. */
const firstCells = (markdown: string): string =>
  Array.from(markdown.matchAll(/^\|([^|]*)\|/gm), ([, cell]) => cell).join("\n")

/** Holds all that is public to its tables. */
export const checkPublic = (modules: ReadonlyArray<string>, fail: Fail): void => {
  const isPublic = (path: string) =>
    !path.split(sep).some((name) => ["internal", "pages", "cli"].includes(name))
  const tests = textsOf([...filesBelow("test", /\.ts$/), ...filesBelow("examples", /\.ts$/)])
  const pages = filesBelow("docs", /\.md$/).filter((path) => !path.includes("internals"))
  const item = (kind: Kind, path: string) => (name: string) => ({ kind, name, path, line: 1 })
  checkItems(
    [
      ...Formats.all.map(({ name }) => item("format", "src/format/Formats.ts")(name)),
      ...[...Check.defaults.map(({ name }) => name), "language"].map(item("check", "src/text/Check.ts")),
      ...modules.filter(isPublic).flatMap((path) => declaredIn(path, readFileSync(path, "utf8")))
    ],
    {
      rows: {
        format: firstCells(readFileSync("docs/formats.md", "utf8")),
        check: firstCells(readFileSync("docs/checks.md", "utf8"))
      },
      pages: wordsOf(textsOf([...pages, "README.md"])),
      tests: wordsOf(tests),
      named: new Set(
        Array.from(
          textsOf([...filesBelow("test/format", /\.ts$/), ...filesBelow("test/text", /\.ts$/)]).matchAll(
            /["'`]([\w-]+)["'`]|^\s*([\w-]+):|Check\.(\w+)/gm
          ),
          ([, quoted, key, member]) => quoted ?? key ?? member!
        )
      ),
      exitCodes: new Set([
        ...Array.from(
          readFileSync("src/cli/failure.ts", "utf8").matchAll(
            /^ {2}(\w+): (?:exitCodes|unreachable|\{ later)|_tag === "(\w+)"/gm
          ),
          ([, row, special]) => row ?? special!
        ),
        ...endWithOne
      ])
    },
    debts,
    fail
  )
}
