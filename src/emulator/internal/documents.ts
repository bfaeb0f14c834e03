import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Document from "../../api/Document.js"
import * as RequestRules from "../../api/RequestRules.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState } from "./account.js"
import { DocumentFailure, makeTextTranslator } from "./document/fileTranslator.js"
import * as translation from "./document/translation.js"
import { DocumentError } from "./faults.js"
import type { GlossaryState } from "./glossaryState.js"
import * as ids from "./ids.js"
import type { MeterState } from "./meter.js"
import type { DocumentOptions } from "./options.js"
import { refusal } from "./refusal.js"
import type { StyleRuleState } from "./styleRules.js"
import type { SupportedValues } from "./supportedValues.js"

/** An accepted document. It is translated at once, even while its status still says `queued` or `translating`. */
interface Accepted {
  readonly documentKey: string
  readonly acceptedAt: number
  readonly billed: number
  readonly error: string | undefined
  /** The translation, until it is handed out. */
  content: Uint8Array | undefined
}

/** A value that the service has been seen to answer. */
const absurdSeconds = 2_147_483_647

const newKey = Effect.map(Effect.all([ids.make, ids.make]), (parts) =>
  parts.join("").replaceAll("-", "").toUpperCase()
)

/** The documents of each key. */
class DocumentState {
  private readonly byKey = new Map<string, Map<string, Accepted>>()
  /** One document is translated at a time: that bounds the memory. */
  private readonly turn = Effect.unsafeMakeSemaphore(1)

  constructor(
    private readonly options: DocumentOptions,
    private readonly account: AccountState,
    private readonly meter: MeterState,
    private readonly styles: StyleRuleState,
    private readonly glossaries: GlossaryState,
    private readonly supported: SupportedValues
  ) {}

  private readonly own = Effect.map(TranslateApi.Caller, ({ key }) => {
    const own = this.byKey.get(key) ?? new Map<string, Accepted>()
    this.byKey.set(key, own)
    return own
  })

  /** The translation, or the failure it ends with. It does not bill. */
  private readonly translated = (upload: Document.UploadRequest, fileName: string) =>
    Effect.gen(this, function* () {
      const scripted = yield* DocumentError
      const { outputFormat, targetLang } = upload
      // A relaxed rule leaves documents to the service: here that is the emulator.
      yield* this.supported.request(
        upload.extraParameters,
        RequestRules.ofDocument(upload),
        RequestRules.ofFile(this.supported.kind, {
          name: fileName,
          type: Document.extension(fileName),
          size: upload.file.content.length,
          field: upload.filename === undefined ? "file.name" : "filename"
        })
      )
      yield* this.supported.translation("translate_document", upload)
      yield* this.styles.check(upload)
      const translator = makeTextTranslator(
        targetLang,
        yield* this.glossaries.phrasesFor(upload),
        upload.sourceLang
      )
      const result: ReturnType<typeof translation.translate> =
        scripted === undefined
          ? translation.translate(
              { fileName, content: upload.file.content, targetLang, outputFormat },
              translator
            )
          : new DocumentFailure({ message: scripted })
      return yield* Effect.match(result, {
        onFailure: ({ message }) => ({ error: message, content: undefined, billed: 0 }),
        onSuccess: (content) => ({ error: undefined, content, billed: translator.characters() })
      })
    })

  /** Bills a document and keeps it: both or nothing. */
  private readonly accept = (
    upload: Document.UploadRequest,
    fileName: string,
    translated: Pick<Accepted, "billed" | "error" | "content">
  ) =>
    Effect.gen(this, function* () {
      const { key } = yield* TranslateApi.Caller
      const own = yield* this.own
      const documentId = yield* ids.make
      const documentKey = yield* newKey
      const acceptedAt = yield* Clock.currentTimeMillis
      yield* this.account.bill(key, {
        product: "document_translation",
        texts: 0,
        characters: translated.billed
      })
      own.set(documentId, { ...translated, documentKey, acceptedAt })
      this.meter.upload(key, { documentId, fileName, targetLang: upload.targetLang })
      return { documentId, documentKey: Redacted.make(documentKey) }
    }).pipe(Effect.uninterruptible)

  readonly upload = (upload: Document.UploadRequest) =>
    Effect.gen(this, function* () {
      const own = yield* this.own
      const waiting = Array.from(own.values()).filter(({ content }) => content !== undefined).length
      if (waiting >= (this.options.maxWaiting ?? Number.POSITIVE_INFINITY)) {
        return yield* refusal(
          "TooManyRequests",
          `Too many documents: ${waiting} wait for their download; download some first`
        )
      }
      const fileName = upload.filename ?? upload.file.name
      return yield* this.accept(upload, fileName, yield* this.translated(upload, fileName))
    }).pipe(this.turn.withPermits(1))

  /** A document of the caller, and how far it is. */
  private readonly find = (documentId: string, { documentKey }: typeof Document.Access.Type) =>
    Effect.gen(this, function* () {
      const document = (yield* this.own).get(documentId)
      if (document === undefined || document.documentKey !== Redacted.value(documentKey)) {
        return yield* refusal("NotFound", "There is no document of this id and key")
      }
      const queueMillis = Duration.toMillis(this.options.queueTime ?? 0)
      const translationMillis = Duration.toMillis(this.options.translationTime ?? 0)
      const elapsed = (yield* Clock.currentTimeMillis) - document.acceptedAt
      const left = queueMillis + translationMillis - elapsed
      const end = document.error === undefined ? "done" : "error"
      const status: "queued" | "translating" | "done" | "error" =
        left <= 0 ? end : elapsed < queueMillis ? "queued" : "translating"
      return { document, status, secondsLeft: Math.ceil(left / 1000) }
    })

  readonly status = (documentId: string, access: typeof Document.Access.Type) =>
    Effect.map(this.find(documentId, access), ({ document, secondsLeft, status }) => {
      switch (status) {
        case "done":
          return { documentId, status, billedCharacters: document.billed }
        case "error":
          return { documentId, status, errorMessage: document.error }
        default:
          return {
            documentId,
            status,
            secondsRemaining: this.options.secondsRemaining === "absurd" ? absurdSeconds : secondsLeft
          }
      }
    })

  /** Hands out the translation and forgets it. */
  readonly download = (documentId: string, access: typeof Document.Access.Type) =>
    Effect.gen(this, function* () {
      const { key } = yield* TranslateApi.Caller
      const { document, status } = yield* this.find(documentId, access)
      if (status === "error") return yield* refusal("Unavailable", "The translation ended with an error")
      if (status !== "done") return yield* refusal("Unavailable", "The translation is not ready yet")
      const { content } = document
      if (content === undefined) return yield* refusal("Unavailable", "Document already downloaded")
      document.content = undefined
      this.meter.download(key, documentId)
      return content
    })
}

/** The handlers of documents. */
export const handlers = (
  options: DocumentOptions,
  account: AccountState,
  meter: MeterState,
  styles: StyleRuleState,
  glossaries: GlossaryState,
  supported: SupportedValues
) => {
  const state = new DocumentState(options, account, meter, styles, glossaries, supported)
  return HttpApiBuilder.group(TranslateApi.TranslateApi, "documents", (handlers) =>
    handlers
      .handle("upload", ({ payload }) => state.upload(payload))
      .handle("status", ({ path, payload }) => state.status(path.documentId, payload))
      .handle("download", ({ path, payload }) =>
        Effect.map(state.download(path.documentId, payload), (content) =>
          HttpServerResponse.uint8Array(content, { contentType: "application/octet-stream" })
        )
      )
  )
}
