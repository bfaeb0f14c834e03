/** Help for people, in 80 columns, made from the commands. */
import { exitCodes, meanings } from "../failure.js"
import { lineOf, type Node } from "./commandTree.js"
import type { Parameter } from "./declare.js"
import { programFlags } from "./parse.js"

const width = 80

const wrap = (text: string, room: number): ReadonlyArray<string> => {
  const lines = [""]
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!
    if (line !== "" && line.length + word.length >= room) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines
}

/** Two columns: names, and their meanings. A long name has its meaning below. */
const columns = (rows: ReadonlyArray<readonly [name: string, meaning: string]>): string => {
  const left = Math.min(28, Math.max(...rows.map(([name]) => name.length)) + 2)
  return rows
    .flatMap(([name, meaning]) => {
      const [first = "", ...others] = wrap(meaning, width - left - 2)
      const head = `  ${name}`
      const indent = " ".repeat(left + 2)
      return name.length + 2 > left
        ? [head, ...[first, ...others].map((line) => indent + line)]
        : [head.padEnd(left + 2) + first, ...others.map((line) => indent + line)]
    })
    .map((line) => line.trimEnd())
    .join("\n")
}

/** `--to <languages>`. */
export const nameOf = ({ names, type, value }: Parameter): string =>
  `${names.join(", ")}${type === "flag" ? "" : ` <${value}>`}`

/** The meaning of an option or an argument, with its choices and its default. */
export const meaningOf = ({
  choices,
  description,
  fallback,
  isList,
  isRequired,
  isRepeated
}: Parameter): string =>
  [
    description,
    ...(choices.length > 0 ? [`One of ${choices.join(", ")}.`] : []),
    ...(isRepeated ? [isList ? "May be repeated, or take several at once: a,b." : "May be repeated."] : []),
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
    ...(isRequired ? ["Required."] : [])
  ].join(" ")

const operandOf = ({ isRepeated, isRequired, value }: Parameter) => {
  const shown = `<${value}>${isRepeated ? "..." : ""}`
  return isRequired ? shown : `[${shown}]`
}

/** The line that calls a command. */
export const usageOf = (node: Node): string =>
  [
    lineOf(node),
    ...(node.commands.length > 0 ? ["<command>"] : []),
    ...node.flags.filter(({ isRequired }) => isRequired).map(nameOf),
    "[options]",
    ...node.operands.map(operandOf)
  ].join(" ")

/** The commands below one, those of groups included. */
const leaves = (node: Node): ReadonlyArray<Node> =>
  node.commands.flatMap((command) => (command.commands.length > 0 ? leaves(command) : [command]))

/** The beginning of a description, for lists. */
const leadOf = (description: string): string =>
  `${/^(.*?)[.:;](?:\s|$)/s.exec(description)?.[1] ?? description}.`

/** The help of a command. `common` names the options that all commands take. */
export const of = (
  node: Node,
  common: ReadonlyArray<string>,
  emphasize: (heading: string) => string
): string => {
  const isCommon = ({ names: [name = ""] }: Parameter) => common.includes(name.slice(2))
  const flags = (list: ReadonlyArray<Parameter>) =>
    list.map((flag) => [nameOf(flag), meaningOf(flag)] as const)
  const isRoot = node.path.length === 1
  const sections: ReadonlyArray<readonly [heading: string, rows: ReadonlyArray<readonly [string, string]>]> =
    [
      [
        "Arguments",
        node.operands.map(
          (operand) =>
            [`<${operand.value}>`, meaningOf({ ...operand, isRequired: false, isRepeated: false })] as const
        )
      ],
      [
        "Commands",
        leaves(node).map(
          (leaf) => [leaf.path.slice(node.path.length).join(" "), leadOf(leaf.description)] as const
        )
      ],
      ["Options", flags(node.flags.filter((flag) => !isCommon(flag)))],
      [
        "Options of every command",
        node.commands.length > 0
          ? isRoot
            ? flags(leaves(node)[0]!.flags.filter(isCommon))
            : []
          : flags(node.flags.filter(isCommon))
      ],
      ["Options of the program", isRoot ? flags(programFlags) : []],
      [
        "Exit codes",
        isRoot
          ? Object.entries(exitCodes).map(
              ([name, code]) => [String(code), meanings[name as keyof typeof exitCodes]] as const
            )
          : []
      ]
    ]
  return [
    `${emphasize("Usage:")} ${usageOf(node)}`,
    wrap(node.description, width).join("\n"),
    ...sections
      .filter(([, rows]) => rows.length > 0)
      .map(([heading, rows]) => `${emphasize(`${heading}:`)}\n${columns(rows)}`),
    ...(node.examples.length > 0
      ? [`${emphasize("Examples:")}\n${node.examples.map((line) => `  ${line}`).join("\n")}`]
      : []),
    ...(node.commands.length > 0 ? [`More of a command: ${lineOf(node)} <command> --help`] : [])
  ].join("\n\n")
}
