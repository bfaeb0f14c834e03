/** The rules that a job obeys, wherever it runs. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Violation from "../../api/Violation.js"
import * as RequestChecks from "../../client/RequestChecks.js"
import { hasControls } from "../../internal/controlCharacters.js"
import type * as Verification from "../../stream/Verification.js"
import * as Check from "../../text/Check.js"
import * as canonicalTarget from "./canonicalTarget.js"
import * as jobTarget from "./jobTarget.js"

/**
 * The names of checks that policies may be given for, apart from a caller's own.
 *
 * @internal
 */
export const checkNames: ReadonlyArray<string> = [
  ...Check.defaults.map(({ name }) => name),
  "language",
  "shifted",
  "answers"
]

type Violations = ReadonlyArray<Violation.Violation>

/** More languages than any service has. */
const mostTargets = 500

const duplicates = (field: string, names: ReadonlyArray<string>): Violations => {
  const seen = new Set<string>()
  return names.flatMap((name, index) =>
    seen.size < seen.add(name).size
      ? []
      : [
          {
            field: `${field}[${index}]`,
            rule: `is ${JSON.stringify(name)} once more: each has a name of its own`
          }
        ]
  )
}

/** Refuses names that are there twice, or that hold control characters. */
export const names = (field: string, given: ReadonlyArray<string>): Violations => [
  ...duplicates(field, given),
  ...given.flatMap((name, index) =>
    hasControls(name)
      ? [
          {
            field: `${field}[${index}]`,
            rule: `is ${JSON.stringify(name)}, which holds a control character: rename it`
          }
        ]
      : []
  )
]

const validateOwn = Schema.validateEither(jobTarget.OwnTarget, { errors: "all" })

const isTarget = Schema.is(LanguageCode.TargetLanguage)

const noLanguage = (target: string, index: number): Violations =>
  isTarget(LanguageCode.canonical(target))
    ? []
    : [
        {
          field: `targets[${index}]`,
          rule: `is ${JSON.stringify(target)}, which is no language code: write it as BCP 47, such as "de" or "en-GB"`
        }
      ]

const unknownTarget = (target: string, index: number): Violations =>
  RequestChecks.targetProblems(`targets[${index}]`, LanguageCode.canonical(target)).map(
    ({ field, rule }) => ({ field, rule })
  )

/** The rules that the data of a target breaks beside its language. */
const ownRules = (target: jobTarget.Target, index: number): Violations =>
  typeof target === "string"
    ? []
    : Either.match(validateOwn({ ...target, lang: "de" }), {
        onLeft: ({ issue }) => Violation.fromIssue(issue, `targets[${index}]`),
        onRight: () => []
      })

const targetRules = (targets: ReadonlyArray<jobTarget.Target>, hasLanguages: boolean): Violations => {
  const given = targets.map(canonicalTarget.langOf)
  if (given.length === 0) return [{ field: "targets", rule: "are none: name the languages" }]
  if (given.length > mostTargets)
    return [
      { field: "targets", rule: `are ${given.length}, more than any service has: name each language once` }
    ]
  return [
    ...duplicates("targets", given),
    ...given.flatMap(noLanguage),
    ...targets.flatMap(ownRules),
    ...(hasLanguages ? given.flatMap(unknownTarget) : [])
  ]
}

const policyRules = (
  field: string,
  { checks = [], policies: given = {} }: Pick<Verification.Options, "checks" | "policies">
): Violations => {
  const known = [...checks.map(({ name }) => name), ...checkNames]
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: `${field}.${name}`,
      rule: `is no check: name one of ${known.join(", ")}`
    }))
}

const number = (
  field: string,
  value: number | undefined,
  isValid: (value: number) => boolean,
  expected: string
): Violations =>
  value === undefined || isValid(value) ? [] : [{ field, rule: `is ${value}; it must be ${expected}` }]

/** Refuses a value that is no whole number of at least 1. */
export const count = (field: string, value: number | undefined): Violations =>
  number(field, value, (value) => Number.isInteger(value) && value > 0, "a whole number of at least 1")

/** Refuses a value that is no share. */
export const share = (field: string, value: number | undefined): Violations =>
  number(field, value, (value) => value >= 0 && value <= 1, "from 0 to 1")

/** The rules of a job, for every runner. */
export interface Shared extends Pick<Verification.Options, "checks" | "policies"> {
  readonly targets: ReadonlyArray<jobTarget.Target>
  readonly pricePerMillion?: number | undefined
}

/** The rules that languages, policies and the price break; `field` is where the policies are. */
export const shared = (
  job: Shared,
  { field, hasLanguages }: { readonly field: string; readonly hasLanguages: boolean }
): Violations => [
  ...targetRules(job.targets, hasLanguages),
  ...policyRules(field, job),
  ...number(
    "pricePerMillion",
    job.pricePerMillion,
    (value) => value >= 0 && value < Number.POSITIVE_INFINITY,
    "0 or more, and finite"
  )
]
