/** Documents in words: what became of them, and what a person does then. */
import type * as DocumentBatch from "../../document/DocumentBatch.js"
import type * as DocumentTranslation from "../../document/DocumentTranslation.js"
import * as duration from "../../internal/duration.js"
import { type Described, messageOf } from "../failure.js"
import { inFlags } from "../violations.js"

const flags = {
  "file.name": "its name",
  targetLang: "--to",
  sourceLang: "--from",
  formality: "--formality",
  glossaryId: "--glossary",
  styleId: "--style",
  outputFormat: "--output-format"
}

/** What is known besides, behind a sentence. */
const more = (title: string, text: string | undefined): string =>
  text === undefined ? "" : ` ${title}: ${text}`

const resubmit = (what: "ambiguous" | "lost"): string =>
  `say --resubmit ${what} to upload it again, which is billed again.`

const sentenceOf = (error: DocumentTranslation.DocumentTranslationError): string => {
  switch (error._tag) {
    case "DocumentFailed":
      return `Document ${error.documentId} was not translated${error.serviceMessage === undefined ? "" : `: the service says ${JSON.stringify(error.serviceMessage)}`}. Correct the file, then say --resubmit failed to upload it again.`
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
      return `What came for document ${error.documentId} is no translation: it is empty, or another type of file. Look at the proxies between, then run the same again: the service still has it, unless it has sent that itself.${more("Trace id", error.traceId)}`
    case "OutputLost":
      return `An equal file was translated before, into ${error.output}, which ${error.reason === "missing" ? "is gone" : "was changed since"}: bring it back as it was, or ${resubmit("lost")}`
    case "OutputUnusable":
      return error.reason === "taken"
        ? `${error.output} exists already: choose another with --out, or say --existing overwrite.${more("The translation is kept in", error.kept)}`
        : error.message
    case "AmbiguousUpload":
      return `Whether the upload of ${error.file} into ${error.targetLang} arrived is unknown. It may have been billed: look at the usage, then ${resubmit("ambiguous")}${more("What is known", error.reason)}`
    default:
      return messageOf(error)
  }
}

/** An error in words of the command line. */
export const inWords = (error: DocumentTranslation.DocumentTranslationError): Described => {
  const said = inFlags(flags)(error)
  return { _tag: said._tag, message: said._tag === "Usage" ? said.message : sentenceOf(said) }
}

/** What became of a document, in a word or two. */
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
