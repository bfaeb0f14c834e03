/** What `--check` says of translations that look wrong. */
import * as Effect from "effect/Effect"
import type * as Verification from "../../stream/Verification.js"
import * as Check from "../../text/Check.js"
import { Usage } from "../failure.js"
import type { SharedPlan } from "./translateOptions.js"

const builtIn = Check.defaults.map(({ name }) => name)

const names = [...builtIn, "language", "answers"]

const isPolicy = (value: string | undefined): value is Verification.Policy =>
  value === "flag" || value === "retry" || value === "fail" || value === "off"

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
      const isKnown = name === "all" || names.includes(name)
      if (!isKnown || !isPolicy(policy)) {
        return yield* new Usage({
          message: `--check ${given}: give ${isKnown ? "a policy: flag, retry, fail or off" : `the name of a check (all, ${names.join(", ")}) and a policy`}, such as --check empty=fail.`
        })
      }
      for (const each of name === "all" ? builtIn : [name]) policies[each] = policy
    }
    return { policies }
  })
