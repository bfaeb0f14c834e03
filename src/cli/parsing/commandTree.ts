/** The commands as data: what help, completions, documentation and the check of a command line are made of. */
import type * as HelpDoc from "@effect/cli/HelpDoc"
import type * as Span from "@effect/cli/HelpDoc/Span"
import * as Option from "effect/Option"

/** What an option or an argument takes. */
export interface Value {
  /** As help calls it. */
  readonly name: string
  readonly type:
    | "Bool"
    | "Choice"
    | "DateTime"
    | "Float"
    | "Integer"
    | "Path"
    | "Redacted"
    | "Secret"
    | "Text"
  readonly choices: ReadonlyArray<string>
  readonly description: string
  readonly isRequired: boolean
  readonly isRepeated: boolean
  /** What it is without being given, if that is worth saying. */
  readonly fallback: string | undefined
}

export interface Flag extends Value {
  /** `--json`; then its aliases. */
  readonly names: readonly [string, ...ReadonlyArray<string>]
}

export interface Node {
  /** The words that call it. */
  readonly path: ReadonlyArray<string>
  readonly description: string
  /** Command lines. */
  readonly examples: ReadonlyArray<string>
  readonly flags: ReadonlyArray<Flag>
  readonly operands: ReadonlyArray<Value>
  readonly commands: ReadonlyArray<Node>
}

/** What `@effect/cli` 0.77 makes of options, arguments and commands. It exports no type of it. */
interface Single {
  readonly _tag: "Single"
  readonly name: string
  readonly fullName?: string
  readonly aliases?: ReadonlyArray<string>
  readonly placeholder?: string
  readonly pseudoName: Option.Option<string>
  readonly primitiveType: {
    readonly _tag: Value["type"]
    readonly alternatives?: ReadonlyArray<readonly [string, unknown]>
  }
  readonly description: HelpDoc.HelpDoc
}

type Parameters =
  | Single
  | { readonly _tag: "Empty" }
  | { readonly _tag: "KeyValueMap"; readonly argumentOption: Parameters }
  | {
      readonly _tag: "Map" | "WithFallback" | "WithFallbackConfig"
      readonly options?: Parameters
      readonly args?: Parameters
    }
  | {
      readonly _tag: "WithDefault"
      readonly options?: Parameters
      readonly args?: Parameters
      readonly fallback: unknown
    }
  | { readonly _tag: "Both" | "OrElse"; readonly left: Parameters; readonly right: Parameters }
  | {
      readonly _tag: "Variadic"
      readonly argumentOption?: Parameters
      readonly args?: Parameters
      readonly min: Option.Option<number>
    }

type Descriptor =
  | {
      readonly _tag: "Standard"
      readonly name: string
      readonly description: HelpDoc.HelpDoc
      readonly options: Parameters
      readonly args: Parameters
    }
  | { readonly _tag: "Map"; readonly command: Descriptor }
  | {
      readonly _tag: "Subcommands"
      readonly parent: Descriptor
      readonly children: ReadonlyArray<Descriptor>
    }

const textOf = (span: Span.Span): string =>
  span._tag === "Sequence"
    ? textOf(span.left) + textOf(span.right)
    : typeof span.value === "string"
      ? span.value
      : textOf(span.value)

/** The paragraphs of a description. */
const proseOf = (doc: HelpDoc.HelpDoc): string => {
  switch (doc._tag) {
    case "Paragraph":
      return textOf(doc.value)
    case "Sequence":
      return [proseOf(doc.left), proseOf(doc.right)].filter((text) => text !== "").join(" ")
    default:
      return ""
  }
}

const fallbackOf = (fallback: unknown): string | undefined => {
  const value = Option.isOption(fallback) ? Option.getOrUndefined(fallback) : fallback
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

const parametersOf = (parameters: Parameters): ReadonlyArray<Flag> => {
  switch (parameters._tag) {
    case "Empty":
      return []
    case "Single": {
      const { aliases = [], description, fullName, name, primitiveType, pseudoName } = parameters
      return [
        {
          names: [
            fullName ?? name,
            ...aliases.map((alias) => (alias.length === 1 ? `-${alias}` : `--${alias}`))
          ],
          name: Option.getOrElse(pseudoName, () =>
            primitiveType._tag === "Choice" ? "choice" : primitiveType._tag.toLowerCase()
          ),
          type: primitiveType._tag,
          choices: (primitiveType.alternatives ?? []).map(([choice]) => choice),
          description: proseOf(description),
          isRequired: true,
          isRepeated: false,
          fallback: undefined
        }
      ]
    }
    case "KeyValueMap":
      return parametersOf(parameters.argumentOption).map((flag) => ({ ...flag, isRepeated: true }))
    case "Both":
    case "OrElse": {
      const both = [...parametersOf(parameters.left), ...parametersOf(parameters.right)]
      return parameters._tag === "Both" ? both : both.map((flag) => ({ ...flag, isRequired: false }))
    }
    case "Variadic":
      return parametersOf(parameters.argumentOption ?? parameters.args!).map((flag) => ({
        ...flag,
        isRequired: Option.getOrElse(parameters.min, () => 0) > 0,
        isRepeated: true
      }))
    case "WithDefault":
      return parametersOf(parameters.options ?? parameters.args!).map((flag) => ({
        ...flag,
        isRequired: false,
        fallback: fallbackOf(parameters.fallback)
      }))
    case "Map":
      return parametersOf(parameters.options ?? parameters.args!)
    default:
      return parametersOf(parameters.options ?? parameters.args!).map((flag) => ({
        ...flag,
        isRequired: false
      }))
  }
}

const nodeOf = (descriptor: Descriptor, above: ReadonlyArray<string>): Node => {
  switch (descriptor._tag) {
    case "Map":
      return nodeOf(descriptor.command, above)
    case "Subcommands": {
      const parent = nodeOf(descriptor.parent, above)
      return { ...parent, commands: descriptor.children.map((child) => nodeOf(child, parent.path)) }
    }
    case "Standard": {
      const [description = "", ...examples] = proseOf(descriptor.description).split(/\s*\bExample: /)
      return {
        path: [...above, descriptor.name],
        description,
        examples,
        flags: parametersOf(descriptor.options),
        operands: parametersOf(descriptor.args),
        commands: []
      }
    }
  }
}

/** A command and those below it. */
export const of = ({ descriptor }: { readonly descriptor: unknown }): Node =>
  nodeOf(descriptor as Descriptor, [])

/** The words of a command line that call it. */
export const lineOf = ({ path }: Node): string => path.join(" ")

/** A command, and all that are below it. */
export const all = (node: Node): ReadonlyArray<Node> => [node, ...node.commands.flatMap(all)]
