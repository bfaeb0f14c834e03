/** Reads a command line, by the tables of the commands. The problem is told in one line. */
import { parseArgs } from "node:util"
import { lineOf, type Node } from "./commandTree.js"
import * as declared from "./declare.js"
import { flag, type Parameter, text } from "./declare.js"
import { didYouMean } from "./suggestion.js"

/** The request of a command line. */
export type Request =
  | { readonly _tag: "Help"; readonly node: Node; readonly isAsked: boolean }
  | { readonly _tag: "Version" }
  | { readonly _tag: "Completions"; readonly shell: string }
  /** A command, with its input. */
  | { readonly _tag: "Run"; readonly node: Node; readonly input: Readonly<Record<string, unknown>> }
  | { readonly _tag: "Wrong"; readonly message: string }

export const shells = ["bash", "fish", "zsh"] as const

export type Shell = (typeof shells)[number]

const completions: Parameter = {
  ...text("--completions <shell>", "Print the script with which a shell completes commands and options."),
  type: "choice",
  choices: shells
}

const everywhere: ReadonlyArray<Parameter> = [
  flag("--help, -h", "Show this help, or that of a command."),
  flag("--version", "Show the version.")
]

/** The flags of the program apart from its commands. */
export const programFlags: ReadonlyArray<Parameter> = [...everywhere, completions]

const listed = (names: ReadonlyArray<string>) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const isNumber = (given: string, type: "whole" | "number") =>
  type === "whole" ? /^[-+]?\d+$/.test(given) : given.trim() !== "" && Number.isFinite(Number(given))

const isBounded = ({ max, min }: Parameter) => min !== undefined || max !== undefined

const problemOf = (parameter: Parameter, given: string): string | undefined => {
  const { choices, type } = parameter
  switch (type) {
    case "choice":
      return choices.includes(given)
        ? undefined
        : `must be ${listed(choices)}, not "${given}".${didYouMean(given, choices)}`
    case "whole":
    case "number":
      return isBounded(parameter) || isNumber(given, type)
        ? undefined
        : `must be a ${type === "whole" ? "whole " : ""}number, not "${given}".`
    default:
      return undefined
  }
}

/** The problem of a number outside of its bounds. */
const boundsProblemOf = (parameter: Parameter, given: string): string | undefined => {
  const { max = Number.MAX_SAFE_INTEGER, min = 0, names, type } = parameter
  if ((type !== "whole" && type !== "number") || !isBounded(parameter)) return undefined
  if (isNumber(given, type) && Number(given) >= min && Number(given) <= max) return undefined
  const bounds = parameter.max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
  return `${names[0]} must be a ${type === "whole" ? "whole " : ""}number ${bounds}.`
}

/** The options of the command, or those that every command below takes: they may come before its name. */
const flagsOf = ({ commands, flags }: Node): ReadonlyArray<Parameter> => {
  const [first, ...others] = commands.map(flagsOf)
  return first === undefined
    ? flags
    : first.filter(({ names }) => others.every((flags) => flags.some((flag) => flag.names[0] === names[0])))
}

/** The values of an option, by its first name. */
type Given = Map<string, ReadonlyArray<string>>

const valuesOf = (given: Given, { isList, names: [name = ""] }: Parameter) => {
  const values = given.get(name) ?? []
  return isList ? values.flatMap(declared.valuesOf) : values
}

/** The values of an argument. The last one takes all that are left, if it may be repeated. */
const atPlace = (node: Node, operands: ReadonlyArray<string>, operand: Parameter) => {
  const place = node.operands.indexOf(operand)
  return operands.slice(place, operand.isRepeated ? undefined : place + 1)
}

/** The first missing or wrong part of the line, once it has been read. */
const complaintOf = (node: Node, given: Given, operands: ReadonlyArray<string>): string | undefined => {
  for (const flag of node.flags) {
    const [name] = flag.names
    const values = valuesOf(given, flag)
    if (flag.isRequired && values.length === 0)
      return `${name} <${flag.value}> is missing. ${flag.description}`
    if (!flag.isRepeated && values.length > 1) return `${name} is given twice: it takes one value.`
    const problem = values.map((value) => problemOf(flag, value)).find((problem) => problem !== undefined)
    if (problem !== undefined) return `${name} ${problem}`
  }
  for (const operand of node.operands) {
    const values = atPlace(node, operands, operand)
    if (operand.isRequired && values.length === 0)
      return `<${operand.value}> is missing. ${operand.description}`
    const problem = values.map((value) => problemOf(operand, value)).find((problem) => problem !== undefined)
    if (problem !== undefined) return `<${operand.value}> ${problem}`
  }
  const isOpen = node.operands.at(-1)?.isRepeated === true
  return isOpen || operands.length <= node.operands.length
    ? undefined
    : `${lineOf(node)} takes ${node.operands.length === 0 ? "no argument" : "no further argument"}: "${operands[node.operands.length]}".`
}

const unknownCommand = (node: Node, name: string) =>
  `${lineOf(node)} has no command "${name}".${didYouMean(
    name,
    node.commands.map(({ path }) => path.at(-1)!)
  )}`

const unknownFlag = (node: Node, name: string, flags: ReadonlyArray<Parameter>) =>
  `${lineOf(node)} has no option ${name}.${
    node.commands.length > 0
      ? " Options of a command come after its name."
      : didYouMean(
          name,
          flags.flatMap((flag) => flag.names)
        )
  }`

/** The command that further words name, as in `--help translate`. */
const below = (node: Node, words: ReadonlyArray<string>): Node => {
  const found = node.commands.find(({ path }) => path.at(-1) === words[0])
  return found === undefined ? node : below(found, words.slice(1))
}

/** Options as Node's parser takes them: each long name is one, with its letter. */
const optionsOf = (flags: ReadonlyArray<Parameter>) =>
  Object.fromEntries(
    flags.flatMap(({ names, type }) => {
      const [main, ...others] = names.filter((name) => name.startsWith("--")).map((name) => name.slice(2))
      const short = names.find((name) => !name.startsWith("--"))?.slice(1)
      const option = { type: type === "flag" ? ("boolean" as const) : ("string" as const), multiple: true }
      return [
        [main!, short === undefined ? option : { ...option, short }] as const,
        ...others.map((other) => [other, option] as const)
      ]
    })
  )

/** Reads the words after those that have named a command. */
const readAt = (node: Node, words: ReadonlyArray<string>, given: Given): Request => {
  const isRoot = node.path.length === 1
  const taken = flagsOf(node)
  const flags = [...taken, ...(isRoot ? programFlags : everywhere)]
  const operands: Array<string> = []
  const wrong = (problem: string): Request => ({
    _tag: "Wrong",
    message: `${problem} See "${lineOf(node)} --help".`
  })
  const { tokens } = parseArgs({
    args: [...words],
    options: optionsOf(flags),
    strict: false,
    allowPositionals: true,
    tokens: true
  })
  for (const token of tokens) {
    const after = words.slice(token.index + 1)
    if (token.kind === "positional") {
      const found = node.commands.find(({ path }) => path.at(-1) === token.value)
      if (node.commands.length === 0) operands.push(token.value)
      else if (found !== undefined) return readAt(found, after, given)
      else if (token.value === "help") return { _tag: "Help", node: below(node, after), isAsked: true }
      else return wrong(unknownCommand(node, token.value))
    } else if (token.kind === "option") {
      const { rawName, value } = token
      const flag = flags.find(({ names }) => names.includes(rawName))
      if (flag === undefined) return wrong(unknownFlag(node, rawName, taken))
      const [main = ""] = flag.names
      const isInline = token.inlineValue === true
      if (flag.type === "flag") {
        if (isInline) return wrong(`${rawName} takes no value.`)
        if (main === "--help") return { _tag: "Help", node: below(node, after), isAsked: true }
        if (main === "--version") return { _tag: "Version" }
        given.set(main, ["true"])
      } else if (flag === completions) {
        return { _tag: "Completions", shell: value ?? "" }
      } else if (value === undefined || (!isInline && flags.some(({ names }) => names.includes(value)))) {
        return wrong(
          `${rawName} needs a value: ${flag.choices.length > 0 ? listed(flag.choices) : `${rawName} <${flag.value}>`}.`
        )
      } else given.set(main, [...(given.get(main) ?? []), value])
    }
  }
  if (node.commands.length > 0) return { _tag: "Help", node, isAsked: false }
  const complaint = complaintOf(node, given, operands)
  if (complaint !== undefined) return wrong(complaint)
  const [message] = node.flags.flatMap((flag) =>
    valuesOf(given, flag).flatMap((value) => boundsProblemOf(flag, value) ?? [])
  )
  if (message !== undefined) return { _tag: "Wrong", message }
  const input = Object.entries(node.parameters).map(([key, parameter]) => {
    const values =
      parameter.names.length > 0 ? valuesOf(given, parameter) : atPlace(node, operands, parameter)
    return [key, parameter.decode(values)] as const
  })
  return { _tag: "Run", node, input: Object.fromEntries(input) }
}

/** Reads the words after the program's name. */
export const read = (root: Node, words: ReadonlyArray<string>): Request => readAt(root, words, new Map())
