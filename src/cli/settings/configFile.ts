/** The file of settings: `effect-translate.config.json`, or `.mjs`, whose default export is the same. `config.schema.json` is made of this. */
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Violation from "../../api/Violation.js"
import { hasControls } from "../../internal/controlCharacters.js"
import * as JobOptions from "../../job/JobOptions.js"
import type { Parameter, Parameters } from "../commandLine/declare.js"
import * as declarations from "./declarations.js"
import { service } from "./serviceDeclarations.js"

const isLanguage = Schema.is(LanguageCode.TargetLanguage)

/** The problem of a text, or of one in a list, that is no code of a language, with the code to write. */
const languageProblem = (side: "source" | "target", isList: boolean, given: unknown): string => {
  const wrong = Array.isArray(given) ? given.find((one) => !isLanguage(one)) : given
  const advice = typeof wrong === "string" ? LanguageCode.advice(wrong, side) : ""
  const instead = advice === "" ? "" : `, not ${JSON.stringify(wrong)}: ${advice}`
  return `must be ${isList ? "a list of language codes" : "a language code"} such as de or pt-BR${instead}`
}

const textOf = ({ setting }: Parameter): Schema.Schema<string> => {
  const pattern = setting?.language === undefined ? setting?.pattern : LanguageCode.wellFormed
  const text = Schema.String.pipe(Schema.filter((given) => !hasControls(given)))
  return text.pipe(
    pattern === undefined ? Schema.nonEmptyString({ identifier: "NonEmptyString" }) : Schema.pattern(pattern)
  )
}

const plainSchemaOf = (parameter: Parameter): readonly [schema: Schema.Schema.Any, must: string] => {
  const { choices, isRepeated, max, min = 0, setting, type } = parameter
  const least = setting?.min ?? min
  const bounds =
    max !== undefined ? `from ${least} to ${max}` : least === 1 ? "above 0" : `of ${least} or more`
  const bounded = (schema: Schema.Schema<number>) =>
    max === undefined ? Schema.greaterThanOrEqualTo(least)(schema) : Schema.between(least, max)(schema)
  if (isRepeated)
    return [Schema.Array(textOf(parameter)), setting?.must ?? 'must be a list of texts, such as ["a", "b"]']
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

/** The schema of a setting: its values, the message for others, and its description for editors. */
export const schemaOf = (parameter: Parameter): Schema.Schema<unknown> => {
  const [schema, must] = plainSchemaOf(parameter)
  const { isPath, language } = parameter.setting ?? {}
  const relative = isPath === undefined ? "" : " A path is relative to this file."
  return (schema as Schema.Schema<unknown>).annotations({
    message: ({ actual }) => ({
      message: [actual].flat().some((one) => typeof one === "string" && hasControls(one))
        ? "holds a control character: leave it out"
        : language === undefined
          ? must
          : languageProblem(language, parameter.isRepeated, actual),
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

/** The rows of a table as fields, without those that are among `options`. */
const fieldsOf = <P extends Parameters>(rows: P): FieldsOf<P> =>
  Record.filterMap(rows as Parameters, (row) =>
    row.setting?.option === undefined ? Option.some(Schema.optional(schemaOf(row))) : Option.none()
  ) as unknown as FieldsOf<P>

/** The rules that a value breaks, without the value. */
const rulesOf = (issue: ParseResult.ParseIssue) => ({
  message: Violation.format(Violation.fromIssue(issue)),
  override: true
})

/** The languages and the options of all texts, as jobs take them. */
const ofJob = {
  targets: Schema.optional(
    Schema.Array(JobOptions.Target).annotations({
      description:
        "The languages to translate into. One with a name in paths or with options of its own is an object.",
      message: (issue) =>
        Array.isArray(issue.actual) && issue.actual.every((one) => typeof one === "object" || isLanguage(one))
          ? rulesOf(issue)
          : { message: languageProblem("target", true, issue.actual), override: true }
    })
  ),
  options: Schema.optional(
    JobOptions.Options.annotations({
      description: "The options of requests that all texts share, under the names that jobs have for them.",
      message: rulesOf
    })
  )
}

const mustBeObject = { message: () => "must be an object" }

const Profile = Schema.Struct(fieldsOf(service)).annotations(mustBeObject)

const { profile, stateFolder } = declarations.common

export const ConfigFile = Schema.Struct({
  $schema: Schema.optional(
    Schema.NonEmptyString.annotations({
      description: "The schema of this file, for editors.",
      message: () => ({ message: "must be a text", override: true })
    })
  ),
  ...Profile.fields,
  ...fieldsOf({ profile, stateFolder }),
  profiles: Schema.optional(
    Schema.Record({ key: Schema.String, value: Profile }).annotations({
      ...mustBeObject,
      description:
        "Services and keys by name, for --profile. Settings that a profile lacks are taken from above."
    })
  ),
  translate: Schema.optional(
    Schema.Struct({ ...fieldsOf(declarations.translate), ...ofJob }).annotations({
      ...mustBeObject,
      description: "The settings of the command translate where flags are missing."
    })
  ),
  ...fieldsOf({ jobs: declarations.jobs }),
  worker: Schema.optional(
    Schema.Struct(fieldsOf(declarations.worker)).annotations({
      ...mustBeObject,
      description: "The settings of the command worker where flags are missing."
    })
  )
}).annotations({ ...mustBeObject, title: "Settings of effect-translate" })

export interface ConfigFile extends Schema.Schema.Type<typeof ConfigFile> {}
