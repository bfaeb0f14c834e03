/**
 * Writes the endpoints into `docs/endpoints.md` (`npm run docs:endpoints`), or only says whether they are there as they should be
 * (`--check`): those of the contract, with the function, the sentence and the example of the doc block that names each.
 *
 *     npx tsx scripts/endpoints.ts [--check]
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as HttpApi from "@effect/platform/HttpApi"
import * as Api from "effect-translate/api"
import ts from "typescript"

const file = "docs/endpoints.md"

const titles: Readonly<Record<string, string>> = {
  TranslateClient: "Texts, and what was used",
  Documents: "Documents",
  Languages: "Languages",
  StyleRules: "Style rules",
  Glossaries: "Glossaries",
  MonolingualGlossaries: "Glossaries of version 2",
  Write: "Text improvement",
  TranslationMemories: "Translation memories",
  VoiceSessions: "Voice",
  DeveloperKeys: "Administration: developer keys",
  Analytics: "Administration: analytics"
}

interface Sample {
  /** Such as `POST /v2/translate`. */
  readonly endpoint: string
  readonly name: string
  readonly call: string
  readonly sentence: string
  readonly code: string
}

/** The properties of an interface, those of the interfaces that it extends first. */
const membersOf = (module: string, name: string): ReadonlyArray<ts.PropertySignature> => {
  const file = [`src/client/${module}.ts`, `src/client/internal/calling/${module}.ts`].find(existsSync)
  // Modules of the contract, such as a kind of service, have no endpoints.
  if (file === undefined) return []
  const text = readFileSync(file, "utf8")
  const source = ts.createSourceFile(`${module}.ts`, text, ts.ScriptTarget.Latest, true)
  const found = source.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name
  )
  const extended = (found?.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => expression.getText().split(".") as [string, string])
  )
  return [
    ...extended.flatMap(([other, name]) => membersOf(other, name)),
    ...Array.from(found?.members ?? []).filter(ts.isPropertySignature)
  ]
}

const pattern = /^(.*?):?\s+`((?:GET|POST|PUT|PATCH|DELETE) \/v[^`?]*)[^`]*`/s

/** The function of an endpoint, if a member is one. */
const sampleOf = (member: ts.PropertySignature, path: string): ReadonlyArray<Sample> => {
  const [block] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  const [, sentence, endpoint] = pattern.exec(ts.getTextOfJSDocComment(block?.comment) ?? "") ?? []
  if (endpoint === undefined) return []
  const example = block?.tags?.find(({ tagName }) => tagName.text === "example")
  const name = member.name.getText()
  return [
    {
      endpoint,
      name,
      call: `${path}.${name}`,
      sentence: sentence!.replace(/\s+/g, " "),
      code: ts.getTextOfJSDocComment(example?.comment) ?? ""
    }
  ]
}

interface Section {
  readonly module: string
  readonly root: "client" | "admin"
  readonly samples: ReadonlyArray<Sample>
}

const sectionsOf = (module: string, root: Section["root"]): ReadonlyArray<Section> => {
  const service = membersOf(module, "Service")
  const own = { module, root, samples: service.flatMap((member) => sampleOf(member, root)) }
  const others = service.flatMap((member): ReadonlyArray<Section> => {
    const [other, name] = member.type?.getText().split(".") ?? []
    if (other === undefined || other !== name) return []
    const path = `${root}.${member.name.getText()}`
    return [{ module: other, root, samples: membersOf(other, name).flatMap((each) => sampleOf(each, path)) }]
  })
  return [own, ...others].filter(({ samples }) => samples.length > 0)
}

/** What an example binds. */
const boundIn = (code: string): ReadonlyArray<string> =>
  Array.from(code.matchAll(/^const (?:(\w+)|[{[] ?([^}\]]*?) ?[}\]]) =/gm), ([, name, names]) =>
    name === undefined ? names!.split(", ") : [name]
  ).flat()

/** Calls after which the others would find nothing. */
const isLast = ({ name }: Sample): boolean => name === "delete" || name === "deactivate"

const indented = (code: string): string => code.replace(/^(?=.)/gm, "  ")

const programOf = ({ root, samples }: Section): string => {
  const ordered = [...samples.filter((each) => !isLast(each)), ...samples.filter(isLast)]
  const code = ordered.map((each) => each.code).join("\n")
  const uses = (names: ReadonlyArray<string>) =>
    names.filter((name) => new RegExp(`\\b${name}\\.`).test(code))
  const client = root === "client" ? "TranslateClient" : "AdminClient"
  const effect = ["Effect", "Layer", ...uses(["DateTime", "Schedule", "Stream"])].sort().join(", ")
  const imports = [
    `import { NodeHttpClient } from "@effect/platform-node"`,
    `import { ${effect} } from "effect"`,
    `import { ${client} } from "effect-translate${root === "client" ? "" : "/admin"}"`,
    ...uses(["DocumentSource"]).map((name) => `import { ${name} } from "effect-translate/documents"`),
    `import { NodeProgram } from "effect-translate/node"`
  ]
  return [
    ...imports,
    "",
    "const program = Effect.gen(function* () {",
    `  const ${root} = yield* ${client}.${client}`,
    indented(code),
    `  return { ${Array.from(new Set(boundIn(code))).join(", ")} }`,
    "})",
    "",
    "program.pipe(",
    `  Effect.provide(Layer.provide(${client}.layerConfig(), NodeHttpClient.layerUndici)),`,
    "  NodeProgram.runMain",
    ")"
  ].join("\n")
}

const sectionText = (section: Section): string => {
  const rows = section.samples.map(
    ({ call, endpoint, sentence }) => `| \`${endpoint}\` | \`${call}\` | ${sentence} |`
  )
  return [
    `## ${titles[section.module]}`,
    "",
    "| Method and path | Function | What it does |",
    "|---|---|---|",
    ...rows,
    "",
    "```ts",
    programOf(section),
    "```"
  ].join("\n")
}

const sections = [...sectionsOf("TranslateClient", "client"), ...sectionsOf("AdminClient", "admin")]
const samples = sections.flatMap((section) => section.samples)

HttpApi.reflect(Api.TranslateApi.TranslateApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path } }) => {
    const endpoint = `${method} ${path.replace(/:(\w+)/g, "{$1}")}`
    const found = samples.filter((sample) => sample.endpoint === endpoint)
    if (found.length !== 1 || found[0]!.code === "") {
      throw new Error(
        `${found.length} doc blocks of src/client name ${endpoint}; there has to be one, with an example`
      )
    }
  }
})

const [begin, end] = [
  "<!-- Written by npm run docs:endpoints. -->\n\n",
  "\n\n<!-- The end of what is written. -->\n"
]
const text = readFileSync(file, "utf8")
const before = text.slice(0, text.indexOf(begin) + begin.length)
const written = `${before}${sections.map(sectionText).join("\n\n")}${text.slice(text.indexOf(end))}`

if (!process.argv.includes("--check")) {
  writeFileSync(file, written)
} else if (text !== written) {
  console.error(
    `${file} is not what the contract and the doc blocks give: run "npm run docs:endpoints" and commit it`
  )
  process.exitCode = 1
}
