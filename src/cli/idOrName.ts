/** Finds what a command line names by its id or its name. */
import * as Effect from "effect/Effect"
import { Usage } from "./failure.js"

/** What is looked for, and how people call it. */
export interface Wanted<A> {
  /** One of them, such as `style`; its command lists them. */
  readonly noun: string
  /** Several of them. */
  readonly nouns: string
  readonly idOf: (one: A) => string
}

/** The one that has the id, or else the one that has the name. */
export const findByIdOrName = <A extends { readonly name: string }>(
  all: ReadonlyArray<A>,
  reference: string,
  { idOf, noun, nouns }: Wanted<A>
): Effect.Effect<A, Usage> => {
  const withId = all.filter((one) => idOf(one) === reference)
  const [found, ...others] = withId.length > 0 ? withId : all.filter(({ name }) => name === reference)
  if (found === undefined) {
    return new Usage({ message: `There is no ${noun} ${reference}: see "effect-translate ${noun} list".` })
  }
  return others.length === 0
    ? Effect.succeed(found)
    : new Usage({
        message: `${1 + others.length} ${nouns} are named ${reference}: give the id, one of ${[found, ...others].map(idOf).join(", ")}.`
      })
}
