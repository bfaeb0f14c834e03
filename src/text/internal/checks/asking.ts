/** Checks that ask somebody: a service that gives scores, a model that judges, an endpoint of one's own. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { canonicalJson, hash } from "../../../internal/hash.js"
import * as FindingSchema from "../../FindingSchema.js"
import * as GlossaryTerms from "../../GlossaryTerms.js"
import type { Asking, Check, Finding, Pair, Unasked, Verdict } from "./check.js"

/**
 * A check that asks somebody.
 *
 * @since 0.1.0
 * @category models
 */
export interface EffectOptions<E, R> {
  /** The name of the check, which its findings get. */
  readonly name: string
  /** Raised once the answers may be others: verdicts of another version do not count. */
  readonly version: string
  /** The most pairs of a question. @default 50 */
  readonly batch?: number | undefined
  /** The most questions at a time. @default 4 */
  readonly concurrency?: number | undefined
  /** The findings in each pair, in their order. Pairs are left unchecked if it fails, or answers for another number of them. */
  readonly find: (
    pairs: ReadonlyArray<Pair>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<Omit<Finding, "check">>>, E, R>
}

const reasonOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string"
    ? error._tag
    : error instanceof Error
      ? error.name
      : typeof error

const decode = Schema.decodeUnknownOption(Schema.parseJson(Schema.Array(FindingSchema.Finding)))

/** The key of a verdict. The service may have found the language of the source: it is in the text. */
const keyOf = (
  check: readonly [name: string, version: string],
  { glossary, maxCharacters, source, targetLang, translation }: Pair
): string => {
  const terms = glossary && GlossaryTerms.hasher(glossary)(source)
  return hash(canonicalJson([check, targetLang, source.trim(), translation.trim(), maxCharacters, terms]))
}

export const make = <E, R>({
  batch = 50,
  concurrency = 4,
  find,
  name,
  version
}: EffectOptions<E, R>): Effect.Effect<Check, never, R> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const turns = yield* Effect.makeSemaphore(Math.max(1, concurrency))

    const ask = (pairs: ReadonlyArray<Pair>): Effect.Effect<ReadonlyArray<ReadonlyArray<Finding>>, Unasked> =>
      turns
        .withPermits(1)(find(pairs))
        .pipe(
          Effect.provide(context),
          Effect.mapError((error) => ({ check: name, reason: reasonOf(error) })),
          Effect.filterOrFail(
            ({ length }) => length === pairs.length,
            ({ length }) => ({ check: name, reason: `${length} answers to ${pairs.length} pairs` })
          ),
          Effect.map((answers) =>
            answers.map((found) => found.map((finding) => ({ ...finding, check: name })))
          )
        )

    const judge: Asking["judge"] = (questions, store) =>
      Effect.gen(function* () {
        const keys = questions.map(({ pair }) => keyOf([name, version], pair))
        const stored = store === undefined ? [] : yield* store.verdicts(keys)
        const verdicts = questions.map(
          (_, index): Verdict =>
            Option.match(decode(stored[index]), {
              onNone: () => ({ findings: [], unasked: [{ check: name }] }),
              onSome: (findings) => ({ findings, unasked: [] })
            })
        )
        const open = Array.from(questions.keys()).filter(
          (index) => questions[index]!.mayAsk && verdicts[index]!.unasked.length > 0
        )
        // An answer that was not stored would be asked for again.
        const answered = (indices: ReadonlyArray<number>) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              const answer = yield* Effect.either(
                restore(ask(indices.map((index) => questions[index]!.pair)))
              )
              if (Either.isLeft(answer)) {
                for (const index of indices) verdicts[index] = { findings: [], unasked: [answer.left] }
                return
              }
              const answers = Arr.zip(indices, answer.right)
              for (const [index, findings] of answers) verdicts[index] = { findings, unasked: [] }
              if (store === undefined) return
              yield* store.judge(
                answers.map(([index, findings]) => ({ key: keys[index]!, verdict: JSON.stringify(findings) }))
              )
            })
          )
        yield* Effect.forEach(Arr.chunksOf(open, Math.max(1, batch)), answered, {
          concurrency: "unbounded",
          discard: true
        })
        return verdicts
      })

    return { name, version, find: () => [], asking: { judge } }
  })
