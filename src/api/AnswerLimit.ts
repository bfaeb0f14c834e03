/**
 * The largest answer that the client reads of an endpoint, as an annotation of the endpoint. A longer answer is cut: no
 * server can fill the memory.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * The most bytes of an answer that are read, decoded.
 *
 * @since 0.1.0
 * @category models
 */
export interface Bytes {
  /** The smallest limit, in bytes. */
  readonly base: number
  /** The bytes that each byte of the request's body adds. */
  readonly perRequestByte: number
}

/**
 * The most bytes of an answer that are read, decoded. Four MiB hold a style rule list of 200 instructions, all of whose
 * characters are escaped. A document is not limited.
 *
 * @since 0.1.0
 * @category contract
 */
export class AnswerLimit extends Context.Reference<AnswerLimit>()("effect-translate/AnswerLimit", {
  defaultValue: (): Bytes => ({ base: 4 * 1024 * 1024, perRequestByte: 0 })
}) {}

/**
 * For answers that hold each text of the request in another form: 32 times its bytes, since a character of one byte may
 * become several escaped ones.
 *
 * @since 0.1.0
 * @category constants
 */
export const ofTexts: Bytes = { base: 256 * 1024, perRequestByte: 32 }

/**
 * For lists of the whole account, and for the entries of dictionaries, which have up to 10 MB each.
 *
 * @since 0.1.0
 * @category constants
 */
export const ofLists: Bytes = { base: 64 * 1024 * 1024, perRequestByte: 0 }
