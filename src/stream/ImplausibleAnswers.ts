/**
 * A job that was ended since the service does not translate.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"

const answered = {
  empty: "with nothing",
  constant: "with one translation for different texts",
  echoed: "with the texts themselves",
  shifted: "with translations of the texts before or after"
} as const

/**
 * The first answers of a job are no translations: it has ended, and nothing of them is stored. The same again begins with one request of
 * the same texts.
 *
 * @since 0.1.0
 * @category errors
 */
export class ImplausibleAnswers extends TaggedError<ImplausibleAnswers>()(
  "ImplausibleAnswers",
  {
    fault: Schema.Literal("empty", "constant", "echoed", "shifted"),
    /** The texts that were answered so, in two requests. */
    texts: Schema.Number
  },
  ({ fault, texts }) =>
    `The service does not translate: it has answered two requests of different texts (${texts} in all) ${answered[fault]}. They are billed, and not stored; nothing more was sent. Ask whoever runs the service. If they are right, go on by the policy "off" of "answers" (--check answers=off).`,
  { isFatal: true }
) {}

/**
 * Returns true for an `ImplausibleAnswers`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isImplausibleAnswers = /* #__PURE__ */ is(ImplausibleAnswers)
