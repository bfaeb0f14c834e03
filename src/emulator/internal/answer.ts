import * as Headers from "@effect/platform/Headers"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"

/** An error answer. */
export const refuse = (
  status: number,
  message: string,
  headers?: Headers.Input,
  detail?: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.unsafeJson({ message, detail }, { status, headers: Headers.fromInput(headers) })

/** The body of an answer. The emulator makes only bodies of bytes, or none. */
export const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse): Uint8Array =>
  body._tag === "Uint8Array" ? body.body : new Uint8Array()
