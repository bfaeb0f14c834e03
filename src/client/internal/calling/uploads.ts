import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { LRUCache } from "lru-cache"
import * as Document from "../../../api/Document.js"
import * as Violation from "../../../api/Violation.js"
import type { DocumentSource } from "../../DocumentSource.js"
import type { Access, UploadOptions } from "../../Documents.js"
import { invalidRequest, type TranslateError } from "../../TranslateError.js"
import type * as multipart from "./multipart.js"

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

export const wrongSize = (size: number) => (bytes: number) =>
  invalidRequest(Document.upload, [
    {
      field: "file.size",
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

/** The documents that a client has uploaded lately: messages about their statuses may quote them. */
export const make = () => {
  const recent = new LRUCache<string, Quotable>({ max: most.documents })
  return {
    add: (documentId: string, document: Quotable) => recent.set(documentId, document),
    find: ({ beginning, documentId, name = "" }: Access) => {
      const known = recent.get(documentId)
      if (known !== undefined) return known
      const document = new Quotable(name)
      if (beginning !== undefined) document.add(beginning)
      return document
    }
  }
}

export type Uploads = ReturnType<typeof make>
