/**
 * The custom tag of requests. Reports by custom tag add up the translations of each tag.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * A tag, and the header that carries it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tag {
  readonly tag: string
  readonly header: string
}

/**
 * What {@link make} takes besides the tag.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The header that carries the tag: the specification names none. @default "X-Custom-Tag" */
  readonly header?: string | undefined
}

/**
 * The tag of calls, none by default. Provide one to a call or a stream. Reports cover only text translation.
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
 * Makes a tag of printable ASCII, with spaces only inside. Calls with other tags fail with `InvalidRequest`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (tag: string, { header = "X-Custom-Tag" }: Options = {}): Tag => ({ tag, header })
