/** The meaning of options of streams of translations, for jobs. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ServiceKind from "../api/ServiceKind.js"
import * as RetryPolicy from "../client/RetryPolicy.js"
import type * as TranslateError from "../client/TranslateError.js"
import * as Translator from "../client/Translator.js"
import { canonicalJson, hash } from "../internal/hash.js"
import type * as Check from "../text/Check.js"
import type { Range } from "../text/Check.js"
import * as GlossaryTerms from "../text/GlossaryTerms.js"
import type { NotUnderstood } from "../text/Syntax.js"
import { type AskedChecks, askedChecks } from "./internal/askedChecks.js"
import * as messages from "./internal/messages.js"
import * as namespace from "./internal/namespace.js"
import { defaultConcurrency as concurrencyOfStreams, translation } from "./internal/options.js"
import * as reading from "./internal/reading.js"
import type { Options } from "./internal/translateOptions.js"
import { type Treatment, Verifier } from "./internal/verifier.js"

/**
 * A person's choices that translations depend on, as hashes: options, the service, and the content of glossaries and
 * style rules. The account is no part of it, so that all members of a project get the same.
 *
 * @internal
 */
export const choicesOf = (
  options: Options
): Effect.Effect<namespace.Choices, TranslateError.TranslateError, Translator.Translator> =>
  Effect.flatMap(Translator.Translator, ({ identify }) =>
    Effect.map(
      identify?.(namespace.identifying(translation(options).options, options)) ?? Effect.succeed({}),
      (identity) => namespace.choicesOf(options, identity)
    )
  )

/**
 * The hash of options among those of {@link choicesOf}, for which no service is asked.
 *
 * @internal
 */
export const hashOfOptions: (options: Options) => string = namespace.hashOfOptions

/**
 * The terms of a glossary, as far as they are known, that the translation of a text depends on beside {@link choicesOf}, as a hash.
 *
 * @internal
 */
export const termsOf = ({
  glossaryTerms
}: Pick<Options, "glossaryTerms">): ((text: string) => string | undefined) =>
  glossaryTerms === undefined ? () => undefined : GlossaryTerms.hasher(glossaryTerms)

/**
 * The hash of all terms of a glossary that are known.
 *
 * @internal
 */
export const hashOfTerms = ({ glossaryTerms }: Pick<Options, "glossaryTerms">): string | undefined =>
  glossaryTerms && GlossaryTerms.hashOf(glossaryTerms)

/**
 * The texts that leave a stream as they are: blank ones, and those that are nothing but placeholders.
 *
 * @internal
 */
export const passes: (options: Options) => (text: string) => boolean = messages.passes

/**
 * The placeholders of a text that have to stand in its translation as they are.
 *
 * @internal
 */
export const protectedIn: (text: string, options: Options) => ReadonlyArray<Range> | undefined =
  messages.protectedIn

/**
 * The treatment of a translation of the machine that is there, of a text without whitespace around it; `undefined` if nobody has asked to
 * look at those.
 *
 * @internal
 */
export const treating = (
  options: Options
): ((text: string, translation: string, maxCharacters: number | undefined) => Treatment) | undefined => {
  const verifier = new Verifier(options, RetryPolicy.none)
  return verifier.isLookingAgain
    ? (text, translation, maxCharacters) => verifier.treatmentOf(text, translation, maxCharacters)
    : undefined
}

/**
 * The policies that {@link treating} goes by, with the versions of their checks, as a hash: nothing if none is named that refuses, and
 * `each` if a check of them has no version.
 *
 * @internal
 */
export const policiesOf = ({ verify = {} }: Pick<Options, "verify">): string | undefined => {
  const { refusing } = askedChecks(verify)
  return refusing.length === 0 ? undefined : (hashOfVersions(refusing) ?? "each")
}

const hashOfVersions = (checks: AskedChecks["versions" | "refusing"]): string | undefined => {
  for (const [, version] of checks) if (version === undefined) return undefined
  return hash(JSON.stringify(checks))
}

/**
 * The checks that are asked.
 *
 * @internal
 */
export const checksOf = ({ verify = {} }: Pick<Options, "verify">): AskedChecks => askedChecks(verify)

/**
 * The checks that are asked, as a hash; `undefined` if one of them has no version: it may find something else each time.
 *
 * @internal
 */
export const versionOfChecks = ({ verify = {} }: Pick<Options, "verify">): string | undefined =>
  hashOfVersions(askedChecks(verify).versions)

/**
 * The error of a text that holds syntax which is not understood, as far as such a text is not sent.
 *
 * @internal
 */
export const notUnderstood = (options: Options): ((text: string) => NotUnderstood | undefined) =>
  reading.notUnderstood(options, "fail") ?? (() => undefined)

/**
 * The finding of a text that holds syntax which is not understood.
 *
 * @internal
 */
export const findingOf: (error: NotUnderstood) => Check.Finding = reading.findingOf

/**
 * The default number of requests in flight.
 *
 * @internal
 */
export const defaultConcurrency: number = concurrencyOfStreams

/**
 * A translator whose `identify` is asked once: for a glossary that takes two calls of the service, and a job may have
 * thousands of streams. A failure is not kept.
 *
 * @internal
 */
export const cacheIdentity = (translator: Translator.Service): Effect.Effect<Translator.Service> =>
  Effect.map(Effect.makeSemaphore(1), (oneAtATime) => {
    const { identify } = translator
    if (identify === undefined) return translator
    const known = new Map<string, Translator.Identity>()
    return {
      ...translator,
      // A context is part of the options that a store knows anyway, and may be another one for each text of a file.
      identify: ({ context: _, ...options }) =>
        Effect.suspend(() => {
          const key = canonicalJson(options)
          const identity = known.get(key)
          return identity === undefined
            ? Effect.tap(identify(options), (identity) => known.set(key, identity))
            : Effect.succeed(identity)
        }).pipe(oneAtATime.withPermits(1))
    }
  })

/**
 * The kind of the service of the translator in the context, or of the specification if there is none.
 *
 * @internal
 */
export const currentKind: Effect.Effect<ServiceKind.ServiceKind> = Effect.map(
  Effect.serviceOption(Translator.Translator),
  (translator) => Option.getOrUndefined(translator)?.kind ?? ServiceKind.specification
)
