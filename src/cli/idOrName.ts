/** Finds an item of a command line by its id or its name. */
import * as Effect from "effect/Effect"
import { type CallError, isUnanswered } from "../client/TranslateError.js"
import { type Usage, usage } from "./failure.js"

/** The items to look for, and their noun. */
export interface Wanted<A, E = never> {
  /** One of them, such as `style`; its command lists them. */
  readonly noun: string
  /** Several of them. */
  readonly nouns: string
  readonly idOf: (one: A) => string
  /** All of them. */
  readonly list: Effect.Effect<ReadonlyArray<A>, CallError | E>
  /** The one of an id. */
  readonly get: (id: string) => Effect.Effect<A, CallError>
}

/** The one that has the id, or else the one that has the name: of those that the service lists, or by its id where it lists none. */
export const findByIdOrName = <A extends { readonly name: string }, E = never>(
  reference: string,
  wanted: Wanted<A, E>
): Effect.Effect<A, Usage | CallError | E> =>
  wanted.list.pipe(
    Effect.flatMap((all) => chosen(all, reference, wanted)),
    Effect.catchIf(isUnanswered, ({ status }) =>
      Effect.catchTags(wanted.get(reference), {
        BadRequest: () => notListed(reference, status, wanted),
        NotFound: () => notListed(reference, status, wanted)
      })
    )
  )

const notListed = (reference: string, status: number, { nouns }: Pick<Wanted<never>, "nouns">) =>
  usage(
    `The service answers with ${status} instead of listing the ${nouns}, so none can be found by its name, and ${reference} is no id of one: give the id.`
  )

const chosen = <A extends { readonly name: string }>(
  all: ReadonlyArray<A>,
  reference: string,
  { idOf, noun, nouns }: Pick<Wanted<A>, "idOf" | "noun" | "nouns">
): Effect.Effect<A, Usage> => {
  const withId = all.filter((one) => idOf(one) === reference)
  const [found, ...others] = withId.length > 0 ? withId : all.filter(({ name }) => name === reference)
  if (found === undefined) {
    return usage(`There is no ${noun} ${reference}: see "effect-translate ${noun} list".`)
  }
  return others.length === 0
    ? Effect.succeed(found)
    : usage(
        `${1 + others.length} ${nouns} are named ${reference}: give the id, one of ${[found, ...others].map(idOf).join(", ")}.`
      )
}
