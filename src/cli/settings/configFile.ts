/** The file of settings: `effect-translate.config.json`, or `.mjs`, whose default export is the same. `config.schema.json` is made of this. */
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { Parameter, Parameters } from "../commandLine/declare.js"
import * as declarations from "./declarations.js"
import { service } from "./serviceDeclarations.js"

const isLanguage = Schema.is(LanguageCode.TargetLanguage)

/** Names the code for what is no code of a language, in a text or in a list of them. */
const languageProblem = (side: "source" | "target", isList: boolean, given: unknown): string => {
  const wrong = Array.isArray(given) ? given.find((one) => !isLanguage(one)) : given
  const advice = typeof wrong === "string" ? LanguageCode.advice(wrong, side) : ""
  const instead = advice === "" ? "" : `, not ${JSON.stringify(wrong)}: ${advice}`
  return `must be ${isList ? "a list of language codes" : "a language code"} such as de or pt-BR${instead}`
}

const textOf = ({ setting }: Parameter): Schema.Schema<string> => {
  const pattern = setting?.language === undefined ? setting?.pattern : LanguageCode.wellFormed
  return pattern === undefined ? Schema.NonEmptyString : Schema.String.pipe(Schema.pattern(pattern))
}

const plainSchemaOf = (parameter: Parameter): readonly [schema: Schema.Schema.Any, must: string] => {
  const { choices, isRepeated, max, min = 0, setting, type } = parameter
  const least = setting?.min ?? min
  const bounds =
    max !== undefined ? `from ${least} to ${max}` : least === 1 ? "above 0" : `of ${least} or more`
  const bounded = (schema: Schema.Schema<number>) =>
    max === undefined ? Schema.greaterThanOrEqualTo(least)(schema) : Schema.between(least, max)(schema)
  if (isRepeated) return [Schema.Array(textOf(parameter)), setting?.must ?? "must be a list of texts"]
  switch (type) {
    case "whole":
      return [bounded(Schema.Int), `must be a whole number ${bounds}`]
    case "number":
      return [bounded(Schema.Number), `must be a number ${bounds}`]
    case "choice":
      return [Schema.Literal(...choices), `must be one of ${choices.join(", ")}`]
    default:
      return [textOf(parameter), setting?.must ?? "must be a text"]
  }
}

/** What a setting may be, what is said of a value that it does not take, and what editors show of it. */
export const schemaOf = (parameter: Parameter): Schema.Schema<unknown> => {
  const [schema, must] = plainSchemaOf(parameter)
  const { isPath, language } = parameter.setting ?? {}
  const relative = isPath === undefined ? "" : " A path is relative to this file."
  return (schema as Schema.Schema<unknown>).annotations({
    message: ({ actual }) => ({
      message: language === undefined ? must : languageProblem(language, parameter.isRepeated, actual),
      override: true
    }),
    description: `${parameter.description}${relative}`
  })
}

type FieldsOf<P extends Parameters> = {
  readonly [Name in keyof P]: Schema.optional<
    Schema.Schema<P[Name] extends Parameter<infer A> ? Exclude<A, undefined> : never>
  >
}

/** The rows of a table as fields. */
const fieldsOf = <P extends Parameters>(rows: P): FieldsOf<P> =>
  Record.map(rows as Parameters, (row) => Schema.optional(schemaOf(row))) as unknown as FieldsOf<P>

const mustBeObject = { message: () => "must be an object" }

const Profile = Schema.Struct(fieldsOf(service)).annotations(mustBeObject)

const { profile } = declarations.common

export const ConfigFile = Schema.Struct({
  $schema: Schema.optional(
    Schema.NonEmptyString.annotations({
      description: "The schema of this file, for editors.",
      message: () => ({ message: "must be a text", override: true })
    })
  ),
  ...Profile.fields,
  ...fieldsOf({ profile }),
  profiles: Schema.optional(
    Schema.Record({ key: Schema.String, value: Profile }).annotations({
      ...mustBeObject,
      description: "Services and keys by name, for --profile. What a profile lacks is taken from above."
    })
  ),
  translate: Schema.optional(
    Schema.Struct(fieldsOf(declarations.translate)).annotations({
      ...mustBeObject,
      description: "What the command translate does without flags."
    })
  ),
  ...fieldsOf({ jobs: declarations.jobs }),
  worker: Schema.optional(
    Schema.Struct(fieldsOf(declarations.worker)).annotations({
      ...mustBeObject,
      description: "What the command worker does without flags."
    })
  )
}).annotations({ ...mustBeObject, title: "Settings of effect-translate" })

export interface ConfigFile extends Schema.Schema.Type<typeof ConfigFile> {}
