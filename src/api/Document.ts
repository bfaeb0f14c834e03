/**
 * Document translation: the upload of a file, its status, and the download of its translation.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as utf8 from "../internal/utf8.js"
import { FormBody } from "./FormBody.js"
import * as parameters from "./internal/parameters.js"
import * as wire from "./internal/wire.js"
import * as LanguageCode from "./LanguageCode.js"
import * as Text from "./Text.js"

/**
 * The formats, other than its own, that a file may be translated into.
 *
 * Source: service specification, Endpoints, Document translation, "output becomes docx", "a pdf may be converted to docx".
 *
 * @since 0.1.0
 * @category constants
 */
export const conversions: { readonly [inputType: string]: ReadonlyArray<string> } = {
  doc: ["docx"],
  pdf: ["docx"]
}

/**
 * The target languages that take the formality `more` or `less`; the `prefer_` forms work with any.
 *
 * Source: service specification, Endpoints, Document translation, "formality".
 *
 * @since 0.1.0
 * @category constants
 */
export const formalityTargets: ReadonlyArray<string> = Text.formalityTargets.filter(
  (code) => code !== "es-419"
)

/**
 * The extension of a file's name in lower case, without the dot; empty if there is none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const extension = (fileName: string): string =>
  /[^./\\]\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ""

/**
 * The name of a file's translation: the same name, but a `doc` becomes a `docx`, and an output format becomes the
 * extension.
 *
 * Source: service specification, Endpoints, Document translation, "output becomes docx" and "output_format".
 *
 * @since 0.1.0
 * @category combinators
 */
export const translatedName = (fileName: string, outputFormat?: string): string => {
  const from = extension(fileName)
  const asked = outputFormat?.toLowerCase() ?? from
  const to = asked === "doc" && from === "doc" ? "docx" : asked
  return to === from ? fileName : `${fileName.slice(0, fileName.length - from.length)}${to}`
}

const nameProblem = (name: string): string | undefined => {
  const quoted = JSON.stringify(name)
  if (/[/\\]/.test(name)) return `is ${quoted}, a path: give the name of the file alone`
  if (/[\u0000-\u001F\u007F]/.test(name)) {
    return `is ${quoted}, which holds a control character: rename the file`
  }
  if (utf8.hasLoneSurrogate(name)) {
    return `is ${quoted}, which holds half a character, and UTF-8 cannot carry it: rename the file`
  }
  return undefined
}

/**
 * The name of a file. Its extension, in any casing, is the file's type.
 *
 * Source: service specification, Endpoints, Document translation, "Supported input types".
 *
 * @since 0.1.0
 * @category schemas
 */
export const FileName = Schema.String.pipe(
  Schema.filter((name) => nameProblem(name) ?? true, { jsonSchema: {} })
)

const Format = Schema.transform(
  Schema.String,
  Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9]+$/, {
      message: () => 'is no file extension: write it without a dot, such as "docx"'
    })
  ),
  { strict: true, decode: (format) => format.toLowerCase(), encode: (format) => format.toLowerCase() }
).annotations({ jsonSchema: { type: "string", pattern: "^[A-Za-z0-9]+$" } })

/** Booleans of forms. Source: service specification, introduction. */
const FormBoolean = Schema.transformLiterals(["1", true], ["0", false]).annotations({
  jsonSchema: { type: "integer", enum: [0, 1] }
})

/** The fields of an upload other than the file, in the order of the specification's table. */
const knownFields = {
  /** The language to translate into; any casing. */
  targetLang: wire.required(LanguageCode.TargetLanguage, "target_lang"),
  /** The language of the document; any casing. @default detected by the service */
  sourceLang: wire.optional(LanguageCode.SourceLanguage, "source_lang"),
  /** The formality of the translation. @default "default" */
  formality: Schema.optional(Text.Formality),
  /** A glossary of this language pair; needs `sourceLang`, unless the kind of service takes it without. @default none */
  glossaryId: wire.optional(parameters.id, "glossary_id"),
  /** Up to 5 glossaries, instead of `glossaryId`; `sourceLang` as there. @default none */
  glossaryIds: wire.optional(parameters.glossaries, "glossary_ids"),
  /** A style rule list of the target language. @default none */
  styleId: wire.optional(parameters.id, "style_id"),
  /** A translation memory (UUID). @default none */
  translationMemoryId: wire.optional(parameters.translationMemory, "translation_memory_id"),
  /** The least match of the translation memory in percent, 0 to 100. @default 75 */
  translationMemoryThreshold: wire.optional(
    Schema.compose(Schema.NumberFromString, parameters.threshold).annotations(parameters.thresholdJson),
    "translation_memory_threshold"
  ),
  /** Ignored: options of texts may be given for documents too. @default none */
  modelType: wire.optional(Text.ModelType, "model_type"),
  /** The format of the translation, as a file extension. @default the file's own; `docx` for a `doc` */
  outputFormat: wire.optional(Format, "output_format"),
  /** A name for the document instead of the file's. @default the file's name */
  filename: Schema.optional(FileName),
  /** Marks the translation as one of a machine, as the public service does it. @default as the service has it */
  enableWatermark: wire.optional(FormBoolean, "enable_watermark")
}

/**
 * The fields of an upload other than the file.
 *
 * @since 0.1.0
 * @category schemas
 */
export const optionFields = { ...knownFields, ...parameters.extra }

/**
 * The options of an upload: the fields that are sent beside the file.
 *
 * Source: service specification, Endpoints, Document translation, table of fields.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UploadOptions = parameters.withExtra(
  "DocumentUploadOptions",
  Schema.Struct(knownFields),
  Schema.Struct(optionFields).pipe(Schema.filter((options) => parameters.glossaryProblems(options)))
)

/**
 * The options of an upload: the fields that are sent beside the file.
 *
 * @since 0.1.0
 * @category models
 */
export interface UploadOptions extends Schema.Struct.Type<typeof optionFields> {}

interface Named extends UploadOptions {
  readonly file: { readonly name?: string | undefined }
}

/** The rules between fields, each as the specification states it in its table. */
const conflicts =
  (isAnyFormatAllowed: boolean) =>
  (upload: Named): ReadonlyArray<Schema.FilterIssue> => {
    const found: Array<Schema.FilterIssue> = [...parameters.glossaryProblems(upload)]
    const { outputFormat } = upload
    const from = extension(upload.filename ?? upload.file.name ?? "")
    const to = outputFormat?.toLowerCase() ?? from
    if (!isAnyFormatAllowed && to !== from && conversions[from]?.includes(to) !== true) {
      const others = Object.entries(conversions).flatMap(([from, to]) => to.map((to) => `${from} to ${to}`))
      found.push({
        path: ["outputFormat"],
        message: `is "${to}", which a ${from} can't be converted to: leave it out; the conversions are ${others.join(", ")}`
      })
    }
    return found
  }

/**
 * Refuses formality for a target without it. The client does so by a table that the service may overrule: this check is
 * for received requests only.
 */
const formalityProblems = ({ formality, targetLang }: UploadOptions): ReadonlyArray<Schema.FilterIssue> => {
  const target = LanguageCode.canonical(targetLang)
  return (formality === "more" || formality === "less") && !formalityTargets.includes(target)
    ? [{ path: ["formality"], message: `"${formality}" doesn't work for documents in "${target}"` }]
    : []
}

const file = Schema.Struct({
  /** Can be left out if `filename` is given. */
  name: Schema.optional(FileName),
  /** Bytes. */
  size: Schema.Number.pipe(
    Schema.filter((size) => {
      if (size === 0) return "is 0: the file is empty, there is nothing to translate"
      return Number.isSafeInteger(size) && size > 0 ? true : "must be the exact number of bytes"
    })
  )
})

/**
 * The facts about an upload that are known before its bytes are sent: name and size of the file, and the options. An
 * output format that the specification does not name is refused unless `isAnyFormatAllowed`.
 *
 * Source: service specification, Endpoints, Document translation, "only permitted conversions are accepted".
 *
 * @since 0.1.0
 * @category schemas
 */
export const uploadDescription = (isAnyFormatAllowed: boolean) =>
  parameters.withExtra(
    "DocumentUploadDescription",
    Schema.Struct({ file, ...knownFields }),
    Schema.Struct({ file, ...optionFields }).pipe(Schema.filter(conflicts(isAnyFormatAllowed)))
  )

const content = Schema.Uint8ArrayFromSelf.pipe(
  Schema.filter((bytes) => (bytes.length > 0 ? true : "is empty: there is nothing to translate"))
)

const arrived = Schema.Struct({ name: Schema.String, content }).annotations({
  jsonSchema: { type: "string", format: "binary" }
})

/**
 * An upload as it arrives: a part for the file, and one for each option (of a list: one for each item).
 *
 * Source: service specification, Endpoints, Document translation, table of fields; wire facts, Documents.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UploadRequest = HttpApiSchema.Multipart(
  parameters.withExtra(
    "DocumentUploadRequest",
    Schema.Struct({ file: arrived, ...knownFields }),
    Schema.Struct({ file: arrived, ...optionFields }).pipe(
      Schema.filter((upload) => {
        const problem = upload.filename === undefined ? nameProblem(upload.file.name) : undefined
        return problem === undefined
          ? [...conflicts(false)(upload), ...formalityProblems(upload)]
          : [{ path: ["file", "name"], message: problem }]
      })
    )
  )
)

/**
 * An upload as it arrives.
 *
 * @since 0.1.0
 * @category models
 */
export type UploadRequest = typeof UploadRequest.Type

const documentKey = wire.required(Schema.Redacted(Schema.String), "document_key")

/**
 * The answer to an upload: the id and the key that the status and the download ask for. The key is redacted, since it gives
 * access to the document.
 *
 * Source: service specification, Resources, "Document translation handle"; wire facts, Documents.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UploadResult = Schema.Struct({
  documentId: wire.required(Schema.String, "document_id"),
  documentKey
}).annotations({ identifier: "DocumentUploadResult" })

/**
 * The answer to an upload.
 *
 * @since 0.1.0
 * @category models
 */
export interface UploadResult extends Schema.Schema.Type<typeof UploadResult> {}

/**
 * The key that the status and the download need beside the document's id.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Access = Schema.Struct({
  documentKey: wire.required(
    Schema.Redacted(Schema.String).pipe(
      Schema.filter((key) =>
        Redacted.value(key) === "" ? "is empty: give the key that the upload was answered with" : true
      )
    ),
    "document_key"
  )
}).annotations({ ...wire.strict, identifier: "DocumentAccess" })

/**
 * The state of a document's translation.
 *
 * Source: service specification, Resources, "Document translation handle"; wire facts, Documents.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Status = wire.named("DocumentStatus", {
  documentId: wire.hint(Schema.String, "document_id"),
  /** `done` can be downloaded; `done` and `error` are final. `unknown` if the answer leaves it out. */
  status: wire.defaulted(wire.open("queued", "translating", "done", "error"), "status", () => "unknown"),
  /** An estimate that can be far off: 2147483647 has been seen. */
  secondsRemaining: wire.hint(Schema.Number, "seconds_remaining"),
  /** The bill of the translation, once it is done. A number that can't be, such as one below zero, counts as left out. */
  billedCharacters: wire.hint(Schema.NonNegativeInt, "billed_characters"),
  /** The service's message about an error; the public service may send it as `message`. */
  errorMessage: wire.hint(Schema.String, "error_message"),
  message: wire.hint(Schema.String, "message")
})

/**
 * The state of a document's translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Status extends Schema.Schema.Type<typeof Status> {}

const ofDocument = Schema.Struct({ documentId: wire.pathId("document_id") })

/**
 * `POST /v2/document`, as `multipart/form-data`.
 *
 * Source: service specification, Endpoints, Document translation; wire facts, Documents.
 *
 * @since 0.1.0
 * @category contract
 */
export const upload = HttpApiEndpoint.post("upload", "/v2/document")
  .setPayload(UploadRequest)
  .addSuccess(UploadResult)

/**
 * `POST /v2/document/{document_id}`.
 *
 * Source: wire facts, Documents.
 *
 * @since 0.1.0
 * @category contract
 */
export const status = HttpApiEndpoint.post("status", "/v2/document/:document_id")
  .setPath(ofDocument)
  .setPayload(Access)
  .addSuccess(Status)
  .annotate(FormBody, true)

/** Declared as empty, since a decoded success is buffered whole: the client reads the bytes as a stream. */
const bytes = {
  description: "The translated document",
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
}

/**
 * `POST /v2/document/{document_id}/result`: the bytes of the translation, once.
 *
 * Source: service specification, States and transitions, Document translation; wire facts, Documents.
 *
 * @since 0.1.0
 * @category contract
 */
export const download = HttpApiEndpoint.post("download", "/v2/document/:document_id/result")
  .setPath(ofDocument)
  .setPayload(Access)
  .addSuccess(HttpApiSchema.Empty(200))
  .annotate(FormBody, true)
  .annotate(OpenApi.Transform, ({ responses, ...operation }) => ({
    ...operation,
    responses: { ...(responses as object), 200: bytes }
  }))

/**
 * The endpoints of documents.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("documents").add(upload).add(status).add(download)
