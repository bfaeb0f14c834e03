import * as Effect from "effect/Effect"
import type * as Language from "../../api/Language.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as LanguageSupport from "../../client/LanguageSupport.js"
import type { Actions } from "../command.js"
import type { languages } from "../declarations/texts.js"
import { Incomplete, type Usage, usage } from "../failure.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import type { InputOf } from "../settings/declarations.js"
import * as text from "../textTable.js"

type Input = InputOf<typeof languages>

/** Languages and features that are not stable too: the service takes them, and the table shows their status. */
const queryOf = ({ resource }: Input): Language.Query => ({ resource, include: ["beta", "external"] })

const yesOrState = (is: boolean, state = "stable"): string => (is ? (state === "stable" ? "yes" : state) : "")

const list = (input: Input) =>
  Effect.gen(function* () {
    const support = yield* LanguageSupport.current
    const languages = yield* support.languages(queryOf(input))
    const features = yield* featuresOf(input)
    yield* Output.result(
      { resource: input.resource, features, languages },
      text.table(
        ["", "", "source", "target", ...features.map(({ name }) => name)],
        languages.map((language) => [
          language.lang,
          language.name,
          yesOrState(language.usableAsSource, language.status),
          yesOrState(language.usableAsTarget, language.status),
          ...features.map(({ name }) =>
            yesOrState(Object.hasOwn(language.features, name), language.features[name]?.status)
          )
        ])
      )
    )
  })

const featuresOf = ({ resource }: Input) =>
  Effect.gen(function* () {
    const { resources } = yield* LanguageSupport.current
    return (yield* resources).find(({ name }) => name === resource)?.features ?? []
  })

const code = /^[a-z]{2,3}(-[a-z0-9]+)*$/i

const parsePair = (pair: string): Effect.Effect<LanguageSupport.Pair, Usage> => {
  const [source = "", target = "", ...more] = pair.split(":")
  const isPair = code.test(target) && (source === "" || code.test(source)) && more.length === 0
  return isPair
    ? Effect.succeed({
        sourceLang: source === "" ? undefined : LanguageCode.canonical(source),
        targetLang: LanguageCode.canonical(target)
      })
    : usage("--pair must be two languages with a colon between them, such as en:de, or :de for any source.")
}

/** Which language of a pair is to blame. */
const reason = (input: Input, { sourceLang, targetLang }: LanguageSupport.Pair) =>
  Effect.gen(function* () {
    const { supports } = yield* LanguageSupport.current
    const isTarget = yield* supports(queryOf(input), { targetLang })
    const side = isTarget ? `${sourceLang} is no source language` : `${targetLang} is no target language`
    const advice = isTarget
      ? LanguageCode.advice(sourceLang ?? "", "source")
      : LanguageCode.advice(targetLang, "target")
    return `${side} of ${input.resource}${advice === "" ? "" : `, ${advice}`}: effect-translate languages --resource ${input.resource} lists them.`
  })

const check = (input: Input, given: string) =>
  Effect.gen(function* () {
    const pair = yield* parsePair(given)
    const { supports, supportsFeature } = yield* LanguageSupport.current
    const { resource } = input
    const supported = yield* supports(queryOf(input), pair)
    const features = yield* Effect.forEach(supported ? yield* featuresOf(input) : [], ({ name }) =>
      Effect.map(supportsFeature(queryOf(input), name, pair), (works) => [name, works] as const)
    )
    yield* Output.result(
      { resource, ...pair, supported, features: Object.fromEntries(features) },
      supported
        ? text.table(
            [resource, "yes"],
            features.map(([name, works]) => [name, works ? "yes" : "no"])
          )
        : ""
    )
    if (!supported) yield* new Incomplete({ message: yield* reason(input, pair) })
  })

export const actions: Actions<typeof languages> = (input) =>
  (input.pair === undefined ? list(input) : check(input, input.pair)).pipe(Effect.provide(service.client))
