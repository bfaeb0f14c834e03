/**
 * Writes what is made of the command line (`npm run docs:cli`): `docs/cli.md` from its commands, and `config.schema.json` from the
 * settings; or only says whether they are what they must be (`npm run check:cli`).
 *
 *     npx tsx scripts/cliDocs.ts [--check]
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as JSONSchema from "effect/JSONSchema"
import * as Struct from "effect/Struct"
import { commonNames } from "../src/cli/command.js"
import { exitCodes, meanings } from "../src/cli/failure.js"
import { programFlags } from "../src/cli/parsing/commandLine.js"
import * as commandTree from "../src/cli/parsing/commandTree.js"
import { meaningOf, nameOf, usageOf } from "../src/cli/parsing/help.js"
import { root } from "../src/cli/program.js"
import { ConfigFile, Profile, Translate, Worker } from "../src/cli/settings/configFile.js"
import {
  jobsKey,
  serviceVariable,
  translateVariable,
  workerVariable
} from "../src/cli/settings/findSettings.js"

const escaped = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;")

const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``

const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const flagTable = (flags: ReadonlyArray<commandTree.Flag>) =>
  table(
    ["Option", "Meaning"],
    flags.map((flag) => [code(nameOf(flag)), escaped(meaningOf(flag))])
  )

const isCommon = ({ names: [name] }: commandTree.Flag) => commonNames.includes(name.slice(2))

const tree = commandTree.of(root)

const commandSection = (node: commandTree.Node): string => {
  const flags = node.flags.filter((flag) => !isCommon(flag))
  return [
    `### ${commandTree.lineOf(node).replace("effect-translate ", "")}`,
    escaped(node.description),
    ["```text", usageOf(node), ...(node.examples.length > 0 ? ["", ...node.examples] : []), "```"].join("\n"),
    ...(node.operands.length > 0
      ? [
          table(
            ["Argument", "Meaning"],
            node.operands.map((operand) => [code(`<${operand.name}>`), escaped(operand.description)])
          )
        ]
      : []),
    ...(flags.length > 0 ? [flagTable(flags)] : [])
  ].join("\n\n")
}

const leaves = commandTree.all(tree).filter(({ commands }) => commands.length === 0)

const schema = JSONSchema.make(ConfigFile)

/** The settings of an object of the schema: the key, its variable, and what it means. */
const settingRows = (
  properties: Readonly<Record<string, object>>,
  variableOf: (field: string) => string | undefined
) =>
  Object.entries(properties).flatMap(([field, property]) => {
    const { description = "" } = property as { readonly description?: string }
    const variable = variableOf(field)
    return field === "$schema"
      ? []
      : [[code(field), variable === undefined ? "" : code(variable), escaped(description)]]
  })

const propertiesOf = (part: JSONSchema.JsonSchema7) => (part as JSONSchema.JsonSchema7Object).properties

const markdown = `# The command line

<!-- Made by scripts/cliDocs.ts: change that, or the commands in src/cli/commands, and run "npm run docs:cli". -->

${tree.description}

\`\`\`text
npx effect-translate emulator
npx effect-translate init
npx effect-translate doctor
npx effect-translate translate locales/en.json --to de,fr --out 'locales/{lang}.json'
\`\`\`

\`emulator\` is a service on this machine to try things with. \`effect-translate --help\` lists the commands, and
\`effect-translate <command> --help\` says what one takes. Results are printed to standard output, everything else to standard error.

## Exit codes

${table(
  ["Code", "Meaning"],
  Object.entries(exitCodes).map(([name, code]) => [String(code), meanings[name as keyof typeof exitCodes]])
)}

## Settings

Options of the command line come before variables of the environment, and those before the file \`effect-translate.config.json\` (or
\`.mjs\`, which exports the same by default) in the working directory or the nearest folder above it. A profile that is named by
\`--profile\` comes before the environment. Paths in the file are relative to it. A variable that is empty counts as not set.

\`effect-translate doctor\` shows which settings are seen, where they are from, and whether they work. \`effect-translate init\` writes the
file. \`config.schema.json\` in the package describes it to editors.

### The service

${table(
  ["Key of the file", "Variable", "Meaning"],
  [
    ...settingRows(propertiesOf(JSONSchema.make(Profile)), (field) =>
      field.endsWith("Variable") ? undefined : serviceVariable(field)
    ),
    ["", code("LANGUAGE_SERVICE_KEY"), "The key."],
    ["", code("LANGUAGE_SERVICE_ADMIN_KEY"), "The admin key."],
    [code("profile"), code("EFFECT_TRANSLATE_PROFILE"), "The profile that is used without --profile."],
    [
      code("profiles"),
      "",
      "Services and keys by name: each has the keys above. What it lacks is taken from the top of the file."
    ],
    ["", code("EFFECT_TRANSLATE_CONFIG"), "The file of settings, as with --config."]
  ]
)}

Keys are never in the file and never options: they are in the environment, in a file that only you can read, or come from standard input.

\`\`\`text
pass show translate-key | LANGUAGE_SERVICE_KEY_FILE=- effect-translate usage
\`\`\`

### translate

The object \`translate\` of the file. In a variable, a list is parted by commas.

${table(["Key of the file", "Variable", "Meaning"], settingRows(propertiesOf(JSONSchema.make(Translate)), translateVariable))}

### Durable jobs

The commands \`job\` and \`worker\`. Besides \`jobs\` they are keys of the object \`worker\` of the file.

${table(
  ["Key of the file", "Variable", "Meaning"],
  [
    ...settingRows(Struct.pick(propertiesOf(schema), "jobs"), translateVariable),
    ...settingRows(propertiesOf(JSONSchema.make(Worker)), workerVariable),
    [
      "",
      code(jobsKey),
      "The key of the control of jobs over HTTP: for workers that serve it, and commands that use it."
    ],
    ["", code(`${jobsKey}_FILE`), "A file that holds that key."]
  ]
)}

## Completions

\`\`\`text
bash: source <(effect-translate --completions bash)                        in ~/.bashrc
zsh:  effect-translate --completions zsh > "\${fpath[1]}/_effect-translate"
fish: effect-translate --completions fish > ~/.config/fish/completions/effect-translate.fish
\`\`\`

## Options of every command

${flagTable([...leaves[0]!.flags.filter(isCommon), ...programFlags])}

## Commands

${leaves.map(commandSection).join("\n\n")}
`

const made: Readonly<Record<string, string>> = {
  "docs/cli.md": markdown,
  "config.schema.json": `${JSON.stringify(schema, null, 2)}\n`
}

for (const [file, text] of Object.entries(made)) {
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text)
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error(`${file} is not what the command line gives: run "npm run docs:cli" and commit it`)
    process.exitCode = 1
  }
}
