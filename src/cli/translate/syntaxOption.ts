/** The options `--protect`, `--html`, `--as-text` and `--strict-syntax` for the syntax that texts hold. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import * as Syntax from "../../text/Syntax.js"
import { type Usage, usage } from "../failure.js"
import type { Plan } from "./translateOptions.js"

export const make = ({
  asText,
  html,
  protect,
  strictSyntax
}: Pick<Plan, "asText" | "html" | "protect" | "strictSyntax">): Effect.Effect<
  TranslateStream.SyntaxOptions | undefined,
  Usage
> =>
  Effect.gen(function* () {
    if (asText && strictSyntax) {
      return yield* usage("--as-text sends texts that --strict-syntax refuses: leave out one of them.")
    }
    const found = yield* Effect.forEach(protect, (given) =>
      Either.mapLeft(Syntax.fromText(given), (problem) => usage(`--protect: ${problem}`))
    )
    const notUnderstood = asText ? "ignore" : strictSyntax ? "fail" : undefined
    return found.length === 0 && notUnderstood === undefined && html !== "off"
      ? undefined
      : {
          ...(found.length === 0 ? {} : { protect: found }),
          ...(html === "off" ? { html: false } : {}),
          ...(notUnderstood === undefined ? {} : { notUnderstood })
        }
  })
