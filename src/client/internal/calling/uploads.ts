import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { LRUCache } from "lru-cache"
import * as Document from "../../../api/Document.js"
import * as Violation from "../../../api/Violation.js"
import type { DocumentSource } from "../../DocumentSource.js"
import type { Access, UploadOptions } from "../../Documents.js"
import * as RetryPolicy from "../../RetryPolicy.js"
import { invalidRequest, type TranslateError } from "../../TranslateError.js"
import type { Call, Endpoint } from "./call.js"
import * as multipart from "./multipart.js"

const encoders = [false, true].map((isAnyFormatAllowed) =>
  Schema.encodeUnknownEither(Document.uploadDescription(isAnyFormatAllowed))
)

/** The parts of an upload beside its file. */
export const fieldsOf = (
  { name, size }: DocumentSource<unknown>,
  { isAnyFormatAllowed = false, ...options }: UploadOptions
): Either.Either<multipart.Fields, TranslateError> =>
  Either.mapBoth(
    encoders[isAnyFormatAllowed ? 1 : 0]!({
      file: options.filename === undefined ? { name, size } : { size },
      ...options
    }),
    {
      onLeft: ({ issue }) => invalidRequest(Document.upload, Violation.fromIssue(issue)),
      onRight: ({ file: _, model_type: _ignored, ...fields }) =>
        Object.entries(fields).flatMap(([name, value]) =>
          [value ?? []].flat().map((value) => [name, value] as const)
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

/** How many bytes of a document are kept, and of how many documents. */
const most = { bytes: 2000, documents: 256 }

/** A document, of which messages of the service must repeat neither the name nor the beginning. */
export class Quotable {
  private beginning = new Uint8Array(0)

  constructor(readonly name: string) {}

  /** Takes the next bytes of the document. */
  add(bytes: Uint8Array): void {
    const missing = most.bytes - this.beginning.length
    if (missing > 0) this.beginning = Uint8Array.from([...this.beginning, ...bytes.subarray(0, missing)])
  }

  /** What must not be repeated: as a whole, and each line of it. */
  get parts(): ReadonlyArray<string> {
    const text = new TextDecoder().decode(this.beginning)
    return [this.name, this.name.replace(/\.\w+$/, ""), text, ...text.split(/[\r\n]+/)]
  }
}

/** A source as the attempts of an upload read it. */
export class Reading<E = unknown> {
  readonly content: Uint8Array | Stream.Stream<Uint8Array, TranslateError | E>
  /** Why the source could not be read. */
  private error: Cause.Cause<TranslateError | E> | undefined = undefined
  private ended = 0

  constructor(
    private readonly source: DocumentSource<E>,
    readonly document: Quotable,
    /** The endpoint of the upload, and what it calls the size. */
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

  private read(content: Stream.Stream<Uint8Array, TranslateError | E>) {
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
  ): Effect.Effect<A, E2 | TranslateError, R | Scope.Scope> {
    call.document = this.document
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
  upload<A, E2>(sent: Effect.Effect<A, E2>): Effect.Effect<A, TranslateError | E | E2> {
    const told = Effect.catchAll(
      sent,
      (error): Effect.Effect<never, TranslateError | E | E2> =>
        this.error === undefined ? Effect.fail(error) : Effect.failCause(this.error)
    )
    return this.source.isRepeatable ? told : RetryPolicy.adjusted({ schedule: Schedule.stop })(told)
  }
}

/** The documents that a client has uploaded lately: messages about their statuses may quote them. */
export const make = () => {
  const recent = new LRUCache<string, Quotable>({ max: most.documents })
  return {
    add: (documentId: string, document: Quotable) => recent.set(documentId, document),
    find: ({ beginning, documentId, name = "" }: Omit<Access, "documentKey">) => {
      const known = recent.get(documentId)
      if (known !== undefined) return known
      const document = new Quotable(name)
      if (beginning !== undefined) document.add(beginning)
      return document
    }
  }
}

export type Uploads = ReturnType<typeof make>
