/** The commands with their names, for help, completions, documentation and the reading of a command line. */
import type { Command, Commands, Group, Parameter, Parameters } from "./declare.js"

export interface Node {
  /** The words that call it. */
  readonly path: ReadonlyArray<string>
  readonly description: string
  /** Command lines. */
  readonly examples: ReadonlyArray<string>
  readonly parameters: Parameters
  readonly flags: ReadonlyArray<Parameter>
  readonly operands: ReadonlyArray<Parameter>
  readonly commands: ReadonlyArray<Node>
}

const nodeOf = (declared: Command | Group, common: Parameters, path: ReadonlyArray<string>): Node => {
  const { description } = declared
  if ("commands" in declared) {
    const commands = Object.entries(declared.commands as Commands).map(([name, below]) =>
      nodeOf(below, common, [...path, name])
    )
    return { path, description, examples: [], parameters: {}, flags: [], operands: [], commands }
  }
  const parameters = { ...declared.parameters, ...common }
  const all = Object.values(parameters)
  return {
    path,
    description,
    examples: declared.examples,
    parameters,
    flags: all.filter(({ names }) => names.length > 0),
    operands: all.filter(({ names }) => names.length === 0),
    commands: []
  }
}

/** A program and its commands, all of which take the common options. */
export const make = (name: string, declared: Group, common: Parameters): Node =>
  nodeOf(declared, common, [name])

/** The words of a command line that call it. */
export const lineOf = ({ path }: Node): string => path.join(" ")

/** A command, and all that are below it. */
export const all = (node: Node): ReadonlyArray<Node> => [node, ...node.commands.flatMap(all)]
