/**
 * Marks an endpoint that takes its body as a URL-encoded form too, as an annotation of the endpoint: the OpenAPI
 * document tells it, the emulator answers 415 to forms elsewhere.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Set where the body may be a form. All bodies may be JSON unless the endpoint takes files.
 *
 * Source: service specification, "bodies are JSON unless stated otherwise"; wire facts, "What the public service
 * of this shape does".
 *
 * @since 0.1.0
 * @category contract
 */
export class FormBody extends Context.Tag("effect-translate/FormBody")<FormBody, true>() {}
