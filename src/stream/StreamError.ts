/**
 * Every way in which a text of a stream, or the whole of it, fails.
 *
 * @since 0.1.0
 */
import type * as TranslateError from "../client/TranslateError.js"
import type { BudgetExceeded } from "./Budget.js"
import type { PlaceholderLost } from "./Placeholder.js"

/**
 * A call failed, the budget is used up, or a translation lost a placeholder.
 *
 * @since 0.1.0
 * @category errors
 */
export type StreamError = TranslateError.TranslateError | BudgetExceeded | PlaceholderLost
