/**
 * The treatment of translations that look wrong: the option `verify` of the streams.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"
import type * as Check from "../text/Check.js"
import { FirstAnswers, type KnownAnswers } from "./internal/firstAnswers.js"

/**
 * The judgement of the first answers of a job, which its streams share: the option `firstAnswers`.
 *
 * @since 0.1.0
 * @category models
 */
export type { FirstAnswers, KnownAnswers }

/**
 * The judgement of the first answers of one job.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFirstAnswers: Effect.Effect<FirstAnswers> = /* #__PURE__ */ Effect.sync(
  () => new FirstAnswers()
)

/**
 * The judgement of the first answers of a job that runs in several processes, in one of them. `onIdle` is called once it waits for nothing:
 * then others may send, and are told its findings.
 *
 * @internal
 */
export const makeSharedFirstAnswers = (onIdle: () => void): Effect.Effect<FirstAnswers> =>
  Effect.sync(() => new FirstAnswers(onIdle))

/**
 * The treatment of a translation in which a check finds a fault.
 *
 * - `flag`: it is kept, and its outcome says what was found.
 * - `retry`: the text is sent once more, with all others of its answer that look wrong. If it looks wrong again, or was the only one, it
 *   goes alone, with its neighbours as context. If the last answer looks wrong too, it is refused for an error and flagged for a warning.
 * - `fail`: it is refused. The text is `Failed` with {@link TranslationRefused}, and costs what was billed.
 * - `off`: the check is not asked.
 *
 * @since 0.1.0
 * @category models
 */
export type Policy = "flag" | "retry" | "fail" | "off"

/**
 * Options for verifying translations. Those that are there already, in a store or in an output, are judged by `policies` as new ones are:
 * without any, they are refused only for what an earlier run has refused them for. A person's are never refused.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The checks, such as `Check.defaults` of `effect-translate/checks`. @default nothing but lost placeholders */
  readonly checks?: ReadonlyArray<Check.Check> | undefined
  /**
   * By the names of checks. `placeholders` also finds that a protected placeholder was lost.
   *
   * @default those of {@link defaultPolicies}
   */
  readonly policies?: Readonly<Record<string, Policy>> | undefined
  /**
   * Looks at translations that are there already, in a store or in an output, and flags those with findings. With `policies` for checks, or
   * `retryFlagged`, that is done anyway. @default false: it takes half as much CPU as all else of a stored text
   */
  readonly checksKnown?: boolean | undefined
  /**
   * Asks once more for the machine's translations that are there already and look wrong, and keeps the one in which less is found, or else the
   * former. @default false
   */
  readonly retryFlagged?: boolean | undefined
  /** True of a finding that a person has accepted, in a translation of a source: it is no reason to refuse that, or to ask again. @default none is */
  readonly isAccepted?: ((finding: Check.Finding, source: string, translation: string) => boolean) | undefined
  /**
   * The judgement that the streams of a job share: see the policy `answers` of {@link defaultPolicies}.
   * @default each stream begins anew
   */
  readonly firstAnswers?: FirstAnswers | undefined
}

/**
 * The policies that are not told: an empty translation and a lost placeholder are asked for once more, and refused if that
 * is no better. Findings of other checks are flagged. `answers` is no check of a translation: until the first answer of a
 * job was judged, no other request is sent, and a job ends with `ImplausibleAnswers` if two requests of different texts are
 * answered with nothing, with one translation for all of them, with the texts themselves, or with translations of the texts
 * beside them. Any other policy than `fail` lets it go on. `shifted` is the same of a single request, at any time: the texts whose
 * translations look like those of the texts beside them.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultPolicies: Readonly<Record<string, Policy>> = {
  answers: "fail",
  empty: "retry",
  placeholders: "retry"
}

/**
 * A translation was paid for, and is of no use: checks have refused it. A store keeps it as refused, so that it is neither used nor paid
 * for again by itself. The error holds no text.
 *
 * @since 0.1.0
 * @category errors
 */
export class TranslationRefused extends TaggedError<TranslationRefused>()(
  "TranslationRefused",
  {
    /** The names of the checks. */
    checks: Schema.Array(Schema.String),
    /** The faults; nothing if an earlier run has found them. */
    explanations: Schema.Array(Schema.String),
    /** The number of refused translations; `undefined` if an earlier run has refused them. */
    answers: Schema.optional(Schema.Number),
    /** True if the text was not asked for again, though its policy is `retry`: a later run does that. */
    isDue: Schema.optional(Schema.Boolean)
  },
  ({ answers = 1, checks, explanations, isDue = false }) => {
    const found = explanations.length === 0 ? ", in an earlier run." : `: ${explanations.join(" ")}`
    const often = answers === 1 ? "" : answers === 2 ? "twice " : `${answers} times `
    return `The translation was refused ${often}by ${checks.join(", ")}${found} ${isDue ? "It was not asked for again: run the same again, or translate it by hand" : "Translate it by hand, ask once more (retryFailed, --retry-failed)"}, or allow it by the policy "flag".`
  }
) {}

/**
 * Returns `true` for a `TranslationRefused`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTranslationRefused = /* #__PURE__ */ is(TranslationRefused)
