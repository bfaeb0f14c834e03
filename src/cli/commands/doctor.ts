import * as FileSystem from "@effect/platform/FileSystem"
import type * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ServiceKind from "../../api/ServiceKind.js"
import * as AdminClient from "../../client/AdminClient.js"
import * as Region from "../../client/Region.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import * as ProxyHttpClient from "../../runtime/ProxyHttpClient.js"
import { TranslationStore } from "../../store/TranslationStore.js"
import type { Actions } from "../command.js"
import { didYouMean } from "../commandLine/suggestion.js"
import type { doctor } from "../declarations/setup.js"
import * as failure from "../failure.js"
import * as keyCheck from "../keyCheck.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import { variables } from "../settings/declarations.js"
import { Settings } from "../settings/settings.js"
import * as stores from "../storeOption.js"
import * as text from "../textTable.js"

interface Check {
  readonly status: "ok" | "advice" | "problem"
  readonly name: string
  readonly message: string
  /** Where a setting was found. */
  readonly from?: string | undefined
}

const advice = (name: string, message: string): Check => ({ status: "advice", name, message })

/** A check, with the failure of which the program tells at its end. */
interface Outcome extends Check {
  readonly cause?: Cause.Cause<failure.Described> | undefined
}

const patience = Duration.seconds(10)

/** A call that is made once, as a person waits for it. */
const checked = <E extends failure.Described, R>(
  name: string,
  call: Effect.Effect<string, E, R>
): Effect.Effect<Outcome, never, R> =>
  call.pipe(
    Effect.map((message): Outcome => ({ status: "ok", name, message })),
    Effect.provideService(RetryPolicy.RetryPolicy, { ...RetryPolicy.none, timeout: patience }),
    Effect.catchAllCause(
      (cause): Effect.Effect<Outcome> =>
        Effect.succeed({ status: "problem", name, message: failure.ofCause(cause).message, cause })
    )
  )

const keyed = checked(
  "service",
  keyCheck.check.pipe(
    Effect.map((checked) => {
      if (!("usage" in checked)) {
        return `It answers and lets the key translate. The usage is unknown, as it answers /v2/usage with ${checked.unanswered}.`
      }
      const { characterCount = 0, characterLimit } = checked.usage
      const limit = typeof characterLimit === "number" ? ` of ${text.count(characterLimit)}` : ""
      return `It answers and accepts the key, which has used ${text.count(characterCount)}${limit} characters.`
    }),
    Effect.provide(service.client)
  )
)

const administered = checked(
  "administration",
  Effect.flatMap(AdminClient.AdminClient, ({ developerKeys }) => developerKeys.list).pipe(
    Effect.map((keys) => `The service accepts the admin key: it lists ${text.plural(keys.length, "key")}.`),
    Effect.provide(service.admin)
  )
)

/** Which way requests go, if it is known where to. */
const routed = Effect.gen(function* () {
  const { provider } = yield* Settings
  const url = yield* Effect.option(provider.load(Config.url("LANGUAGE_SERVICE_URL")))
  if (Option.isNone(url)) return []
  const way = Effect.map(ProxyHttpClient.fromConfig(), ({ wayTo }) => wayTo(url.value))
  return [
    yield* checked(
      "way",
      way.pipe(
        Effect.withConfigProvider(provider),
        Effect.map(({ description }) => `The service is reached ${description}.`)
      )
    )
  ]
})

/** The kind of the service, and `true` if the address is known to be of another one. */
const kindOf = Effect.gen(function* () {
  const { provider } = yield* Settings
  const url = yield* Effect.option(provider.load(Config.string("LANGUAGE_SERVICE_URL")))
  return yield* checked(
    "kind of service",
    Effect.map(provider.load(Region.kindConfig), (kind = "specification") => kind)
  ).pipe(
    Effect.map((outcome): Outcome => {
      const known = ServiceKind.at(Option.getOrElse(url, () => ""))
      return outcome.status === "ok" && known !== undefined && outcome.message !== known
        ? advice(
            outcome.name,
            `${outcome.message}, but this address is of the kind ${known}: set LANGUAGE_SERVICE_KIND=${known}, or "kind": "${known}" in the file of settings.`
          )
        : outcome
    })
  )
})

const stored = Effect.gen(function* () {
  const { translate } = yield* Settings
  if (translate.store === "none") return advice("store", "none: paid translations are lost at the end.")
  const files = yield* FileSystem.FileSystem
  const { isFile, layer, name } = yield* stores.openAsItIs(undefined, {})
  if (isFile && !(yield* Effect.orElseSucceed(files.exists(name), () => true))) {
    return advice("store", `There is no ${name} yet: translate makes it with its first run.`)
  }
  return yield* checked(
    "store",
    Effect.flatMap(TranslationStore, ({ stats }) => stats).pipe(
      Effect.map(
        ({ corrections, translations }) =>
          `${name} holds ${text.plural(translations, "translation")} and ${text.plural(corrections, "correction")}.`
      ),
      Effect.provide(layer)
    )
  )
}).pipe(
  Effect.catchAllCause((cause) =>
    Effect.succeed<Outcome>({
      status: "problem",
      name: "store",
      message: failure.ofCause(cause).message,
      cause
    })
  )
)

/** Variables that look like settings, and are none. */
const misspelt = () =>
  Object.keys(process.env)
    .filter((name) => /^(LANGUAGE_SERVICE|EFFECT_TRANSLATE)_/.test(name) && !variables.includes(name))
    .map((name) => advice(name, `This variable is no setting.${didYouMean(name, variables)}`))

const settled = Effect.map(
  Settings,
  ({ file, origins }): ReadonlyArray<Check> => [
    file === undefined
      ? advice("file of settings", 'There is none: "effect-translate init" writes one.')
      : { status: "ok", name: "file of settings", message: file },
    ...origins.map(({ from, name, value }): Check => ({ status: "ok", name, message: value, from })),
    ...misspelt()
  ]
)

export const actions: Actions<typeof doctor> = () =>
  Effect.gen(function* () {
    const { origins } = yield* Settings
    const hasAdminKey = origins.some(({ name }) => name === "LANGUAGE_SERVICE_ADMIN_KEY")
    const settings = yield* settled
    const outcomes: ReadonlyArray<Outcome> = [
      { status: "ok", name: "Node.js", message: process.versions.node },
      ...settings,
      yield* kindOf,
      ...(yield* routed),
      ...(yield* Effect.all([keyed, ...(hasAdminKey ? [administered] : []), stored], {
        concurrency: "unbounded"
      }))
    ]
    const checks = outcomes.map(({ cause: _, ...check }): Check => check)
    yield* Output.result(
      { checks },
      checks
        .map(({ from, message, name, status }) =>
          `${status.padEnd(8)} ${name}: ${message}${from === undefined || from === name ? "" : ` (${from})`}`.trimEnd()
        )
        .join("\n")
    )
    const [worst] = outcomes
      .flatMap(({ cause }) => (cause === undefined ? [] : [cause]))
      .toSorted((one, other) => failure.ofCause(other).code - failure.ofCause(one).code)
    if (worst !== undefined) return yield* Effect.failCause(worst)
  })
