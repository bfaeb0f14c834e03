/** The option `--check` for translations that look wrong. */
import * as Effect from "effect/Effect"
import { checkNames, verificationOf } from "../../job/TranslationJob.js"
import type * as Verification from "../../stream/Verification.js"
import * as Check from "../../text/Check.js"
import { didYouMean } from "../commandLine/suggestion.js"
import { type Usage, usage } from "../failure.js"
import type { SharedPlan } from "./translateOptions.js"

const builtIn = Check.defaults.map(({ name }) => name)

const isPolicy = (value: string | undefined): value is Verification.Policy =>
  value === "flag" || value === "retry" || value === "fail" || value === "off"

const unknown = (name: string, others: string): string =>
  `no check has the name ${JSON.stringify(name)}.${
    didYouMean(name.replace(/[^A-Za-z].*/, ""), checkNames) || ` There are ${others}${checkNames.join(", ")}.`
  }`

const problemOf = (name: string, isKnown: boolean): string =>
  isKnown
    ? `give a policy: flag, retry, fail or off, such as --check ${name}=fail.`
    : `${unknown(name, "all, ")} Write a name and a policy, such as --check empty=fail.`

/** Fails with the first of some names that no check has. */
export const checkNamed = (names: ReadonlyArray<string>): Effect.Effect<void, Usage> => {
  const name = names.find((name) => !checkNames.includes(name))
  return name === undefined ? Effect.void : usage(`--check ${name}: ${unknown(name, "")}`)
}

/** The last word on a check counts. */
export const make = ({
  checks
}: Pick<SharedPlan, "checks">): Effect.Effect<
  { readonly policies: Readonly<Record<string, Verification.Policy>> },
  Usage
> =>
  Effect.gen(function* () {
    const policies: Record<string, Verification.Policy> = {}
    for (const given of checks) {
      const [name = "", policy] = given.split("=")
      const isKnown = name === "all" || checkNames.includes(name)
      if (!isKnown || !isPolicy(policy)) {
        return yield* usage(`--check ${given}: ${problemOf(name, isKnown)}`)
      }
      for (const each of name === "all" ? builtIn : [name]) policies[each] = policy
    }
    return { policies }
  })

/** The checks that look at outputs. */
export const asked = (plan: Pick<SharedPlan, "checks">) =>
  Effect.flatMap(make(plan), ({ policies }) =>
    Effect.map(verificationOf({ policies }), ({ checks = [] }) =>
      checks.filter(({ name }) => policies[name] !== "off")
    )
  )
