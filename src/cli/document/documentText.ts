/** Documents in words: their outcomes, and the next steps of a person. */
import type * as DocumentBatch from "../../document/DocumentBatch.js"
import type * as DocumentTranslation from "../../document/DocumentTranslation.js"
import * as duration from "../../internal/duration.js"
import { type Described, messageOf } from "../failure.js"
import * as optionFlags from "../optionFlags.js"

/** Further details, behind a sentence. */
const more = (title: string, text: string | undefined): string =>
  text === undefined ? "" : ` ${title}: ${text}`

const sentenceOf = (error: DocumentTranslation.DocumentTranslationError): string => {
  switch (error._tag) {
    case "DocumentOverdue":
      return `Document ${error.documentId} was not done after ${duration.format(error.after)}. It was not uploaded in vain: run the same again.${more("The last question failed", error.lastError)}`
    case "DocumentNotReady":
      return `The translation is not ready: it is "${error.lastStatus}". Ask again later.`
    case "BatchHalted":
      return error.documentId === undefined
        ? "It was not begun."
        : "It is uploaded, and waits for its download."
    case "AlreadyDownloaded":
    case "DownloadLost":
      return `${error.message} For that, document translate takes --resubmit lost.`
    case "NotATranslation":
      return `The download of document ${error.documentId} is no translation: it is empty, or another type of file. Look at the proxies between, then run the same again: the service still has it, unless it has sent that itself.${more("Trace id", error.traceId)}`
    case "DocumentOutputUnusable":
      return error.reason === "taken"
        ? `${error.output} exists already: choose another with --out, or say --existing overwrite.${more("The translation is kept in", error.kept)}`
        : error.message
    default:
      return optionFlags.named(messageOf(error), optionFlags.ofDocument)
  }
}

/** An error in words of the command line. */
export const inWords = (error: DocumentTranslation.DocumentTranslationError): Described => {
  const said = optionFlags.inFlags(optionFlags.ofDocument)(error)
  return { _tag: said._tag, message: said._tag === "Usage" ? said.message : sentenceOf(said) }
}

/** The outcome of a document, in a word or two. */
export const stateOf = (outcome: DocumentBatch.Outcome): string => {
  switch (outcome._tag) {
    case "Translated":
      return "translated"
    case "Skipped":
      return outcome.reason === "done" ? "was done before" : "copied"
    case "Ambiguous":
      return "unknown"
    case "Lost":
      return "lost"
    case "Failed":
      return outcome.error._tag === "BatchHalted"
        ? outcome.error.documentId === undefined
          ? "not begun"
          : "uploaded"
        : "failed"
  }
}
