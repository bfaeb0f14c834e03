/** Reads `--parameter`: parameters of requests that this program does not know. */
import * as Option from "effect/Option"
import type * as TranslateStream from "../stream/TranslateStream.js"

type Parameters = NonNullable<TranslateStream.Options["extraParameters"]>

/** The value of `--parameter`: JSON, or else a text. */
const valueOf = (given: string) =>
  Option.getOrElse(Option.liftThrowable(JSON.parse)(given), () => given) as Parameters[string]

/** The parameters by their names; the last word on a name counts. */
export const valuesOf = (given: ReadonlyArray<string>): Parameters | undefined =>
  given.length === 0
    ? undefined
    : Object.fromEntries(
        given.map((each) => {
          const at = each.indexOf("=")
          return [each.slice(0, at), valueOf(each.slice(at + 1))]
        })
      )
