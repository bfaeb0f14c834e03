/** Failures of requests without an answer: at a proxy, by a code, or by a defect of the program. */
import * as Effect from "effect/Effect"
import { codeOf } from "./connectionCauses.js"

/** undici says only in words which status a proxy has refused a tunnel or a request with. */
export const statusOfProxy = ({ cause }: { readonly cause?: unknown }): number | undefined => {
  const [, status] =
    cause instanceof Error
      ? (/^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(cause.message) ?? [])
      : []
  return status === undefined ? undefined : Number(status)
}

/** Errors that code is to blame for, and no network. */
const ofCode =
  /^((Reference|Syntax|Range|Eval|URI|Type|InvalidArgument|InvalidReturnValue|NotSupported)Error)$/

/** The messages of engines for such errors, which hold names and no values. */
const ofEngine =
  /^[\w$.'"()[\] ]{1,200} (is not (a function|a constructor|defined|iterable)|is undefined|is null)( \([^()]{0,100}\))?$|^(Cannot (read|set) propert(y|ies)( '\w+')? of|Cannot access '\w+' before) [\w$ ()']{1,200}$/

/** `fetch` fails by a `TypeError` at the network, without a code, and in other words in each runtime. */
const ofFetch =
  /fetch failed|failed to fetch|load failed|terminated|network|connect|internet|offline|hostname|timed out|timeout|socket|sending request|abort/i

const innermost = (error: unknown, depth = 0): unknown =>
  depth < 5 && error instanceof Error && error.cause instanceof Error
    ? innermost(error.cause, depth + 1)
    : error

const isDefect = (error: unknown): error is Error =>
  error instanceof Error &&
  ofCode.test(error.name) &&
  (error.name !== "TypeError" || ofEngine.test(error.message) || !ofFetch.test(error.message))

/** Tells it without a message that may print the request, unless an engine has made it. The stack says where it was. */
const told = (error: Error): Error => {
  const code = codeOf(error)
  const what = ofEngine.test(error.message) ? `${error.name}: ${error.message}` : error.name
  const known = new Error(`The HTTP client that the program gives has a defect (${what}).`)
  const frames = error.stack?.slice(error.stack.indexOf("\n    at "))
  known.stack = `${known.name}: ${known.message}${frames ?? ""}`
  return code === undefined ? known : Object.assign(known, { code })
}

/** Dies of a failure that another attempt, or another network, can't change. */
export const dieOfDefect = (error: { readonly cause?: unknown }): Effect.Effect<void> =>
  Effect.suspend(() => {
    const cause = innermost(error.cause)
    return statusOfProxy(error) === undefined && isDefect(cause) ? Effect.die(told(cause)) : Effect.void
  })
