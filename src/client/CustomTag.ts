/**
 * The custom tag of requests. Reports by custom tag add up the translations of each tag.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"

/**
 * A tag, and the header that carries it where that is not the one of the service.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tag {
  readonly tag: string
  /** The header that carries it. @default the one of the kind of service */
  readonly header?: string | undefined
}

/**
 * Options of {@link withCustomTag} apart from the tag.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The header that carries the tag. @default the one of the kind of service: "X-Custom-Tag", as the specification names none */
  readonly header?: string | undefined
}

/**
 * The tag of calls, none by default. {@link withCustomTag} gives one. Reports cover only text translation.
 *
 * Source: service specification, Resources, "Custom tag usage report (admin)"; wire facts, Decisions.
 *
 * @since 0.1.0
 * @category tags
 */
export class CustomTag extends Context.Reference<CustomTag>()("effect-translate/CustomTag", {
  defaultValue: (): Tag | undefined => undefined
}) {}

/**
 * Runs calls, also those of streams, with a tag of printable ASCII, with spaces only inside. With other tags they fail with `InvalidRequest`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withCustomTag: {
  /** Runs calls, also those of streams, with a tag of printable ASCII, with spaces only inside. With other tags they fail with `InvalidRequest`. */
  (tag: string, options?: Options): <A, E, R>(calls: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs calls, also those of streams, with a tag of printable ASCII, with spaces only inside. With other tags they fail with `InvalidRequest`. */
  <A, E, R>(calls: Effect.Effect<A, E, R>, tag: string, options?: Options): Effect.Effect<A, E, R>
} = /* #__PURE__ */ Function.dual(
  ([calls]) => Effect.isEffect(calls),
  <A, E, R>(calls: Effect.Effect<A, E, R>, tag: string, options?: Options): Effect.Effect<A, E, R> =>
    Effect.provideService(calls, CustomTag, { tag, header: options?.header })
)
