import * as Match from "effect/Match"
import * as Option from "effect/Option"
import type { DocumentHandle } from "../../client/Documents.js"
import * as DocumentError from "../DocumentError.js"
import type { DocumentId, Entry } from "../DocumentJournal.js"
import type { Resubmit, TranslateOptions } from "./translationModels.js"

/** The entries of one kind. */
export type EntryOf<Tag extends Entry["_tag"]> = Extract<Entry, { readonly _tag: Tag }>

/** The next step of a document. */
export type Step =
  | { readonly _tag: "Upload" }
  | {
      /** Wait until the service is done, then download. */
      readonly _tag: "Download"
      readonly handle: DocumentHandle
      /** The handle comes from the caller, and is not in the journal yet. */
      readonly isNew?: boolean
      /** The temporary file of an earlier download. */
      readonly leftover?: string
      /** Upload it again if the service does not give it out any more. */
      readonly uploadIfGone: boolean
    }
  | {
      /** Give the temporary file its name. */
      readonly _tag: "Finish"
      readonly received: EntryOf<"Received">
      /** Upload it again if the file is gone. */
      readonly uploadIfGone: boolean
    }
  | { readonly _tag: "Report"; readonly done: EntryOf<"Done"> }
  | { readonly _tag: "Fail"; readonly error: DocumentError.AmbiguousUpload | DocumentError.DocumentFailed }

type StepOf<Tag extends Step["_tag"]> = Extract<Step, { readonly _tag: Tag }>

const isAbout =
  ({ documentId }: DocumentHandle) =>
  (entry: Entry): boolean =>
    documentId ===
    ("handle" in entry ? entry.handle.documentId : "documentId" in entry ? entry.documentId : undefined)

/** The next step, by the document's state in the journal. */
export const nextStep = (
  { file, targetLang }: DocumentId,
  known: Option.Option<Entry>,
  { handle, resubmit = [] }: Pick<TranslateOptions, "handle" | "resubmit"> = {}
): Step => {
  const upload: Step = { _tag: "Upload" }
  const uploadIfGone = resubmit.includes("lost")
  const download = (handle: DocumentHandle, more?: Partial<StepOf<"Download">>): Step => ({
    _tag: "Download",
    handle,
    uploadIfGone: false,
    ...more
  })
  const uploadOrFail = (allowedBy: Resubmit, error: StepOf<"Fail">["error"]): Step =>
    resubmit.includes(allowedBy) ? upload : { _tag: "Fail", error }
  const ambiguous = (reason: string) =>
    uploadOrFail("ambiguous", new DocumentError.AmbiguousUpload({ file, targetLang, reason }))

  if (handle !== undefined && !Option.exists(known, isAbout(handle))) {
    return download(handle, { isNew: true })
  }
  if (Option.isNone(known)) return upload
  return Match.valueTags(known.value, {
    Begun: () => upload,
    Sent: () => ambiguous("an earlier run ended while it was being sent"),
    Refused: () => upload,
    Ambiguous: ({ reason }) => ambiguous(reason),
    Uploaded: ({ handle }) => download(handle),
    Downloading: ({ handle, temporary }) => download(handle, { leftover: temporary, uploadIfGone }),
    Received: (received): Step => ({ _tag: "Finish", received, uploadIfGone }),
    Done: (done): Step => ({ _tag: "Report", done }),
    Failed: (entry) => uploadOrFail("failed", new DocumentError.DocumentFailed(entry)),
    Lost: ({ handle }) => download(handle, { uploadIfGone })
  })
}

/** True if a step uploads, or may lead to an upload. */
export const mayUpload = (step: Step): boolean =>
  step._tag === "Upload" || ("uploadIfGone" in step && step.uploadIfGone)
