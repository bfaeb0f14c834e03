/**
 * The largest body that an endpoint takes, as an annotation of the endpoint: the client refuses a larger one before
 * sending it, the emulator answers 413.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Bytes of the body, as sent.
 *
 * @since 0.1.0
 * @category contract
 */
export class BodyLimit extends Context.Tag("effect-translate/BodyLimit")<BodyLimit, number>() {}
