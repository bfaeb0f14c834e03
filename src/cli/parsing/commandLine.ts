/**
 * Reads a command line before the parser of `@effect/cli` does: that one takes a misspelt option for a file, wants options before files,
 * and words its complaints for several lines.
 */
import { type Flag, lineOf, type Node, type Value } from "./commandTree.js"
import { didYouMean } from "./suggestion.js"

/** What a command line asks for. */
export type Request =
  | { readonly _tag: "Help"; readonly node: Node; readonly isAsked: boolean }
  | { readonly _tag: "Version" }
  | { readonly _tag: "Completions"; readonly shell: string }
  /** A command, as the parser wants it: options in their order, then `--` and the operands. */
  | { readonly _tag: "Run"; readonly node: Node; readonly args: ReadonlyArray<string> }
  | { readonly _tag: "Wrong"; readonly message: string }

export const shells = ["bash", "fish", "zsh"] as const

export type Shell = (typeof shells)[number]

const unvalued = { isRepeated: false, isRequired: false, fallback: undefined } as const

/** What the program takes besides its commands. */
export const programFlags: ReadonlyArray<Flag> = [
  {
    ...unvalued,
    names: ["--help", "-h"],
    description: "Show this help, or that of a command.",
    name: "",
    type: "Bool",
    choices: []
  },
  {
    ...unvalued,
    names: ["--version"],
    description: "Show the version.",
    name: "",
    type: "Bool",
    choices: []
  },
  {
    ...unvalued,
    names: ["--completions"],
    description: "Print the script with which a shell completes commands and options.",
    name: "shell",
    type: "Choice",
    choices: shells
  }
]

const listed = (names: ReadonlyArray<string>) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const problemOf = ({ choices, type }: Value, value: string): string | undefined => {
  switch (type) {
    case "Choice":
      return choices.includes(value)
        ? undefined
        : `must be ${listed(choices)}, not "${value}".${didYouMean(value, choices)}`
    case "Integer":
      return /^[-+]?\d+$/.test(value) ? undefined : `must be a whole number, not "${value}".`
    case "Float":
      return value.trim() !== "" && Number.isFinite(Number(value))
        ? undefined
        : `must be a number, not "${value}".`
    default:
      return undefined
  }
}

/** The options of the command, or those that every command below takes: they may come before its name. */
const flagsOf = ({ commands, flags }: Node): ReadonlyArray<Flag> => {
  const [first, ...others] = commands.map(flagsOf)
  return first === undefined
    ? flags
    : first.filter(({ names }) => others.every((flags) => flags.some((flag) => flag.names[0] === names[0])))
}

/** Options with their values, in the order of the command's options. */
type Given = ReadonlyMap<string, ReadonlyArray<string>>

/** What is missing or is not what it must be, when the line has been read. */
const complaintOf = (node: Node, given: Given, operands: ReadonlyArray<string>): string | undefined => {
  for (const flag of node.flags) {
    const [name] = flag.names
    const values = given.get(name) ?? []
    if (flag.isRequired && values.length === 0)
      return `${name} <${flag.name}> is missing. ${flag.description}`
    if (!flag.isRepeated && values.length > 1) return `${name} is given twice: it takes one value.`
    const problem = values.map((value) => problemOf(flag, value)).find((problem) => problem !== undefined)
    if (problem !== undefined) return `${name} ${problem}`
  }
  const missing = node.operands.find(({ isRequired }, index) => isRequired && operands[index] === undefined)
  if (missing !== undefined) return `<${missing.name}> is missing. ${missing.description}`
  const last = node.operands.at(-1)
  for (const [index, value] of operands.entries()) {
    const operand = node.operands[index] ?? (last?.isRepeated === true ? last : undefined)
    if (operand === undefined) {
      return `${lineOf(node)} takes ${node.operands.length === 0 ? "no argument" : "no further argument"}: "${value}".`
    }
    const problem = problemOf(operand, value)
    if (problem !== undefined) return `<${operand.name}> ${problem}`
  }
  return undefined
}

const unknownCommand = (node: Node, name: string) =>
  `${lineOf(node)} has no command "${name}".${didYouMean(
    name,
    node.commands.map(({ path }) => path.at(-1)!)
  )}`

const unknownFlag = (node: Node, name: string, flags: ReadonlyArray<Flag>) =>
  node.commands.length > 0 && !flags.some((flag) => flag.names.includes(name))
    ? `${lineOf(node)} has no option ${name}. Options of a command come after its name.`
    : `${lineOf(node)} has no option ${name}.${didYouMean(
        name,
        flags.flatMap((flag) => flag.names)
      )}`

/** `-qv` is `-q -v`. */
const unclustered = (token: string, flags: ReadonlyArray<Flag>): ReadonlyArray<string> | undefined => {
  const letters = token
    .slice(1)
    .split("")
    .map((letter) => `-${letter}`)
  return /^-[^-]{2,}$/.test(token) &&
    letters.every((letter) => flags.some(({ names, type }) => type === "Bool" && names.includes(letter)))
    ? letters
    : undefined
}

const isHelp = (word: string | undefined) => word === "--help" || word === "-h"

/** Reads the words after the program's name. */
export const read = (root: Node, words: ReadonlyArray<string>): Request => {
  const left = [...words]
  const given = new Map<string, ReadonlyArray<string>>()
  const operands: Array<string> = []
  let node = root
  const wrong = (problem: string): Request => ({
    _tag: "Wrong",
    message: `${problem} See "${lineOf(node)} --help".`
  })
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const flags = flagsOf(node)
    if (word === "--") {
      operands.push(...left.splice(0))
    } else if (isHelp(word)) {
      return { _tag: "Help", node: below(node, left), isAsked: true }
    } else if (word === "--version") {
      return { _tag: "Version" }
    } else if (word === "--completions" && node === root) {
      return { _tag: "Completions", shell: left[0] ?? "" }
    } else if (word.startsWith("-") && word !== "-") {
      const cluster = unclustered(word, flags)
      if (cluster !== undefined) {
        left.unshift(...cluster)
        continue
      }
      const [, name = word, inline] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
      const flag = flags.find(({ names }) => names.includes(name))
      if (flag === undefined) return wrong(unknownFlag(node, name, flags))
      const [main] = flag.names
      const before = given.get(main) ?? []
      if (flag.type === "Bool") {
        if (inline !== undefined) return wrong(`${name} takes no value.`)
        given.set(main, ["true"])
        continue
      }
      const value = inline ?? left.shift()
      const isFlag = isHelp(value) || flags.some(({ names }) => names.includes(value ?? ""))
      if (value === undefined || (inline === undefined && isFlag)) {
        return wrong(`${name} needs a value: ${name} <${flag.name}>.`)
      }
      given.set(main, [...before, value])
    } else if (node.commands.length > 0) {
      const found = node.commands.find(({ path }) => path.at(-1) === word)
      if (found === undefined && word === "help")
        return { _tag: "Help", node: below(node, left), isAsked: true }
      if (found === undefined) return wrong(unknownCommand(node, word))
      node = found
    } else {
      operands.push(word)
    }
  }
  if (node.commands.length > 0) return { _tag: "Help", node, isAsked: false }
  const complaint = complaintOf(node, given, operands)
  if (complaint !== undefined) return wrong(complaint)
  const options = node.flags.flatMap(({ names: [name], type }) =>
    (given.get(name) ?? []).flatMap((value) => (type === "Bool" ? [name] : [name, value]))
  )
  return {
    _tag: "Run",
    node,
    args: [...node.path.slice(1), ...options, ...(operands.length > 0 ? ["--", ...operands] : [])]
  }
}

/** The command that further words name: that of `--help translate`. */
const below = (node: Node, words: ReadonlyArray<string>): Node => {
  const found = node.commands.find(({ path }) => path.at(-1) === words[0])
  return found === undefined ? node : below(found, words.slice(1))
}
