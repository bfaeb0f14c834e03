import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Document from "../../../api/Document.js"
import * as Violation from "../../../api/Violation.js"
import type { DocumentSource } from "../../DocumentSource.js"
import * as RetryPolicy from "../../RetryPolicy.js"
import { type CallError, invalidRequest } from "../../TranslateError.js"
import type { Quotable } from "../redacting/quotable.js"
import type { Call, Endpoint } from "./call.js"
import * as multipart from "./multipart.js"

const encoders = [false, true].map((isAnyFormatAllowed) =>
  Schema.encodeUnknownEither(Document.uploadDescription(isAnyFormatAllowed))
)

/** A value in a form. Source: service specification, "boolean values are sent as `1` or `0`". */
const formValue = (value: unknown): string =>
  typeof value === "boolean"
    ? String(Number(value))
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value)

/** The parts of an upload beside its file. */
export const fieldsOf = (
  { name, size }: DocumentSource<unknown>,
  {
    isAnyFormatAllowed = false,
    ...options
  }: Document.UploadOptions & { readonly isAnyFormatAllowed?: boolean | undefined }
): Either.Either<multipart.Fields, CallError> =>
  Either.mapBoth(
    encoders[isAnyFormatAllowed ? 1 : 0]!({
      file: options.filename === undefined ? { name, size } : { size },
      ...options
    }),
    {
      onLeft: ({ issue }) => invalidRequest(Document.upload, Violation.fromIssue(issue)),
      onRight: ({ file: _, model_type: _ignored, ...fields }) =>
        Object.entries(fields).flatMap(([name, value]) =>
          [value ?? []].flat().map((value) => [name, formValue(value)] as const)
        )
    }
  )

const wrongSize = (endpoint: Endpoint, field: string, size: number) => (bytes: number) =>
  invalidRequest(endpoint, [
    {
      field,
      rule: `is ${size}, but the file holds ${bytes > size ? "more" : `only ${bytes}`} bytes: give its exact size, and do not change it meanwhile`
    }
  ])

/** A source as the attempts of an upload read it. */
export class Reading<E = unknown> {
  readonly content: Uint8Array | Stream.Stream<Uint8Array, CallError | E>
  /** Why the source could not be read. */
  private error: Cause.Cause<CallError | E> | undefined = undefined
  private ended = 0

  constructor(
    private readonly source: DocumentSource<E>,
    readonly document: Quotable,
    /** The endpoint of the upload, and its name for the size. */
    endpoint: Endpoint,
    field: string
  ) {
    const { content, size } = source
    if (content instanceof Uint8Array) document.add(content)
    this.content =
      content instanceof Uint8Array
        ? content
        : this.read(multipart.ofSize(content, size, wrongSize(endpoint, field, size)))
  }

  get size(): number {
    return this.source.size
  }

  private read(content: Stream.Stream<Uint8Array, CallError | E>) {
    return Stream.suspend(() => {
      const current = this.ended
      return content.pipe(
        Stream.tapErrorCause((cause) =>
          Effect.sync(() => {
            if (!Cause.isInterruptedOnly(cause)) this.error = cause
          })
        ),
        // Fetch reads a body to its end, even if the request was cut.
        Stream.takeWhile((bytes) => {
          this.document.add(bytes)
          return this.ended === current
        })
      )
    })
  }

  /** An attempt that sends the content: at its end nothing more is read. */
  attempt<A, E2, R>(
    call: Call,
    sent: Effect.Effect<A, E2, R>
  ): Effect.Effect<A, E2 | CallError, R | Scope.Scope> {
    const stop = Effect.sync(() => {
      this.ended++
    })
    return Effect.addFinalizer(() => stop).pipe(
      Effect.zipRight(sent),
      // An `InvalidRequest` is never sent again. `upload` puts the error of the file in its place.
      Effect.mapError((error) => (this.error === undefined ? error : invalidRequest(call, [])))
    )
  }

  /** An upload, of all its attempts: one only, if the source can't be read again. It fails with the error of the source. */
  upload<A, E2>(sent: Effect.Effect<A, E2>): Effect.Effect<A, CallError | E | E2> {
    const told = Effect.catchAll(
      sent,
      (error): Effect.Effect<never, CallError | E | E2> =>
        this.error === undefined ? Effect.fail(error) : Effect.failCause(this.error)
    )
    return this.source.isRepeatable ? told : RetryPolicy.withRetryPolicy({ schedule: Schedule.stop })(told)
  }
}
