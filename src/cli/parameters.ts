/** Reads `--parameter`: parameters of requests that this program does not know. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as TranslateStream from "../stream/TranslateStream.js"
import { type Usage, usage } from "./failure.js"
import { translate } from "./settings/declarations.js"

type Parameters = NonNullable<TranslateStream.Options["extraParameters"]>

/** The value of `--parameter`: JSON, or else a text. */
const valueOf = (given: string) =>
  Option.getOrElse(Option.liftThrowable(JSON.parse)(given), () => given) as Parameters[string]

/** The parameters by their names; the last word on a name counts. */
export const valuesOf = (given: ReadonlyArray<string>): Effect.Effect<Parameters | undefined, Usage> => {
  const { must, pattern } = translate.parameters.setting!
  const wrong = given.find((each) => !pattern!.test(each))
  if (wrong !== undefined) return usage(`--parameter ${must}, not ${JSON.stringify(wrong)}.`)
  const entries = given.map((each) => {
    const at = each.indexOf("=")
    return [each.slice(0, at), valueOf(each.slice(at + 1))] as const
  })
  return Effect.succeed(entries.length === 0 ? undefined : Object.fromEntries(entries))
}
