/** Declarations of options, arguments and commands. They are plain data, so that help and completions load no library. */

/** A setting that an option is too: in the environment, and under the name of its row in the file of settings. */
export interface Setting {
  /** The variable of the environment, if it has one. */
  readonly variable: string | undefined
  /** True if it may be in the file of settings, under the name of its row. */
  readonly isInFile: boolean
  /** Its name among the `options` of the file, if it is one of these. */
  readonly option: string | undefined
  /** Returns `true` if a value is a path, which is relative to the file of settings. Without it, none is. */
  readonly isPath: ((value: string) => boolean) | undefined
  /** The pattern that a text must match, with the message for one that does not. */
  readonly pattern: RegExp | undefined
  readonly must: string | undefined
  /** The side of a translation whose language code it is. */
  readonly language: "source" | "target" | undefined
  /** The least number in the file and in the environment, if that is not the one of the option. */
  readonly min: number | undefined
}

/** An option, an argument or a setting. `A` is the command's value. */
export interface Parameter<out A = unknown> {
  /** `--json`; then its aliases. An argument, which is known by its place, has none. */
  readonly names: ReadonlyArray<string>
  /** The name of its value in help. */
  readonly value: string
  readonly type: "flag" | "choice" | "number" | "text" | "whole"
  readonly choices: ReadonlyArray<string>
  readonly description: string
  readonly isRequired: boolean
  readonly isRepeated: boolean
  /** True if commas separate values: `--to de,fr` is `--to de --to fr`. */
  readonly isList: boolean
  readonly min: number | undefined
  readonly max: number | undefined
  /** The default in words, if it is worth showing. */
  readonly fallback: string | undefined
  readonly setting: Setting | undefined
  /** Decodes the given values for a command. They have been checked. */
  readonly decode: (given: ReadonlyArray<string>) => A
}

export type Parameters = Readonly<Record<string, Parameter>>

/** The input of a command. */
export type Input<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer A> ? A : never
}

/** The settings of some rows, where they are set. */
export type SettingsOf<P extends Parameters> = {
  readonly [Name in keyof P]?: (P[Name] extends Parameter<infer A> ? A : never) | undefined
}

export interface Command<out P extends Parameters = Parameters> {
  readonly description: string
  readonly parameters: P
  /** Command lines. */
  readonly examples: ReadonlyArray<string>
}

/** Commands of one noun. */
export interface Group<out C extends Commands = Commands> {
  readonly description: string
  readonly commands: C
}

export interface Commands {
  readonly [name: string]: Command | Group
}

const blank = {
  choices: [],
  isRequired: false,
  isRepeated: false,
  isList: false,
  min: undefined,
  max: undefined,
  fallback: undefined,
  setting: undefined
} as const

const same = ([given]: ReadonlyArray<string>): string | undefined => given

const figure = ([given]: ReadonlyArray<string>): number | undefined =>
  given === undefined ? undefined : Number(given)

type Optional<A> = Parameter<A | undefined>

/** An option that takes a text. It is written as help shows it, with its aliases: `--field, -f <path>`. */
export const text = (spelled: string, description: string): Optional<string> => {
  const [, names = "", value = ""] = /^([^<]*?)(?: <(.*)>)?$/.exec(spelled) ?? []
  return { ...blank, names: names.split(", "), value, type: "text", description, decode: same }
}

interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** A whole number. */
export const whole = (spelled: string, description: string, bounds: Bounds = {}): Optional<number> => ({
  ...text(spelled, description),
  ...bounds,
  type: "whole",
  decode: figure
})

export const number = (spelled: string, description: string, bounds: Bounds = {}): Optional<number> => ({
  ...whole(spelled, description, bounds),
  type: "number"
})

export const choice = <const C extends string>(
  spelled: string,
  choices: ReadonlyArray<C>,
  description: string
): Optional<C> => ({
  ...text(spelled, description),
  type: "choice",
  value: "choice",
  choices,
  decode: ([given]) => choices.find((choice) => choice === given)
})

/** An option without a value. */
export const flag = (spelled: string, description: string): Parameter<boolean> => ({
  ...text(spelled, description),
  type: "flag",
  decode: (given) => given.length > 0
})

/** A text that is known by its place. */
export const argument = (name: string, description: string): Parameter<string> =>
  required({ ...text("", description), names: [], value: name })

export const required = <A>(parameter: Optional<A>): Parameter<A> => ({
  ...parameter,
  isRequired: true,
  decode: (given) => parameter.decode(given) as A
})

export const optional = <A>(parameter: Parameter<A>): Optional<A> => ({ ...parameter, isRequired: false })

export const repeated = <A>(parameter: Optional<A>): Parameter<ReadonlyArray<A>> => ({
  ...parameter,
  isRequired: false,
  isRepeated: true,
  decode: (given) => given.map((one) => parameter.decode([one]) as A)
})

/** The values of a list: commas separate them, outside of `{a,b}`. A target as JSON is one value. */
export const valuesOf = (given: string): ReadonlyArray<string> =>
  given.trim().startsWith('{"') ? [given.trim()] : given.split(/,(?![^{]*\})/).map((part) => part.trim())

/** An option that may be repeated, and takes several values at once. */
export const list = <A>(parameter: Optional<A>): Parameter<ReadonlyArray<A>> => ({
  ...repeated(parameter),
  isList: true
})

export const atLeastOne = <A>(parameter: Optional<A>): Parameter<ReadonlyArray<A>> => ({
  ...repeated(parameter),
  isRequired: true
})

export const withDefault = <A extends string | number>(
  parameter: Optional<A>,
  fallback: A
): Parameter<A> => ({
  ...parameter,
  isRequired: false,
  fallback: String(fallback),
  decode: (given) => parameter.decode(given) ?? fallback
})

/** The same with another description. */
export const described = <A>(
  parameter: Parameter<A>,
  description: string,
  value = parameter.value
): Parameter<A> => ({ ...parameter, description, value })

/** A parameter that is a setting too, with its variable of the environment. */
export const setting = <A>(
  parameter: Parameter<A>,
  variable: string | undefined,
  more: Partial<Omit<Setting, "variable">> = {}
): Parameter<A> => ({
  ...parameter,
  setting: {
    variable,
    isInFile: more.option === undefined,
    option: undefined,
    isPath: undefined,
    pattern: undefined,
    must: undefined,
    language: undefined,
    min: undefined,
    ...more
  }
})

/** A command, with command lines that are examples of it. */
export const command = <P extends Parameters>(
  description: string,
  parameters: P,
  ...examples: ReadonlyArray<string>
): Command<P> => ({ description, parameters, examples })

/** Commands of one noun. */
export const group = <C extends Commands>(description: string, commands: C): Group<C> => ({
  description,
  commands
})
