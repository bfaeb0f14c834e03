/**
 * Writes what is made of the command line (`npm run docs:cli`): `docs/reference/cli.md` from its commands, and `config.schema.json` from the
 * settings; or only says whether they are what they must be (`npm run check:cli`).
 *
 *     npx tsx scripts/cliDocs.ts [--check]
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as JSONSchema from "effect/JSONSchema"
import * as commandTree from "../src/cli/commandLine/commandTree.js"
import type { Parameter, Parameters } from "../src/cli/commandLine/declare.js"
import { meaningOf, nameOf, usageOf } from "../src/cli/commandLine/help.js"
import { programFlags } from "../src/cli/commandLine/parse.js"
import { exitCodes, meanings } from "../src/cli/failure.js"
import { tree } from "../src/cli/program.js"
import { ConfigFile } from "../src/cli/settings/configFile.js"
import * as settings from "../src/cli/settings/declarations.js"
import { jobsKeys, keys, service, workerSecrets } from "../src/cli/settings/serviceDeclarations.js"

const escaped = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;")

const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``

const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const flagTable = (flags: ReadonlyArray<Parameter>) =>
  table(
    ["Option", "Meaning"],
    flags.map((flag) => [code(nameOf(flag)), escaped(meaningOf(flag))])
  )

const isCommon = ({ names: [name = ""] }: Parameter) => settings.commonNames.includes(name.slice(2))

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
            node.operands.map((operand) => [code(`<${operand.value}>`), escaped(operand.description)])
          )
        ]
      : []),
    ...(flags.length > 0 ? [flagTable(flags)] : [])
  ].join("\n\n")
}

const leaves = commandTree.all(tree).filter(({ commands }) => commands.length === 0)

const schema = JSONSchema.make(ConfigFile)

/** Settings: the key, the variable, and what they mean. */
const settingRows = (rows: Parameters) =>
  Object.entries(rows).map(([field, { description, setting }]) => [
    setting?.isInFile === true
      ? code(field)
      : setting?.option === undefined
        ? ""
        : code(`options.${setting.option}`),
    setting?.variable === undefined ? "" : code(setting.variable),
    escaped(description)
  ])

const markdown = `# The command line: reference

<!-- Made by scripts/cliDocs.ts: change that, or the tables in src/cli/declarations and src/cli/settings/declarations.ts, and run "npm run docs:cli". -->

All commands, options and settings. How to work with them: [the command line](../cli.md).

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
    ...settingRows({ ...service, ...keys, profile: settings.common.profile }),
    [
      code("profiles"),
      "",
      "Services and keys by name: each has the keys above. What it lacks is taken from the top of the file."
    ],
    ...settingRows({ config: settings.common.config, stateFolder: settings.common.stateFolder })
  ]
)}

Keys are never in the file and never options: they are in the environment, in a file that only you can read, or come from standard input.

\`\`\`text
pass show translate-key | LANGUAGE_SERVICE_KEY_FILE=- effect-translate usage
\`\`\`

### translate

The object \`translate\` of the file. In a variable, a list is parted by commas.

${table(["Key of the file", "Variable", "Meaning"], settingRows(settings.translate))}

### Durable jobs

The commands \`job\` and \`worker\`. Besides \`jobs\` they are keys of the object \`worker\` of the file.

${table(
  ["Key of the file", "Variable", "Meaning"],
  settingRows({ jobs: settings.jobs, ...settings.worker, ...workerSecrets, ...jobsKeys })
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
  "docs/reference/cli.md": markdown,
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
