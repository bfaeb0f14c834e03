import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { discard, read, temporaryFor, writeNew } from "../../internal/files.js"
import { makeByteHash } from "../../internal/hash.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import * as documentFiles from "./documentFiles.js"
import type { EntryOf } from "./documentStep.js"
import type { Job, Running } from "./documentTask.js"
import * as identity from "./identity.js"
import type { Translated } from "./translationModels.js"

/** The hash of the output that an earlier content of the document has left; undefined if there is none. */
const previousOf = ({ content, written }: Job): string | undefined => {
  if (written?._tag !== "Done") return written?.previous
  return written.content === content ? undefined : written.hash
}

/** True if the output is the translation of an earlier content, and not the one received for this one. */
export const isPrevious = (
  job: Job,
  received?: string
): Effect.Effect<boolean, never, FileSystem.FileSystem> => {
  const previous = previousOf(job)
  if (previous === undefined || previous === received) return Effect.succeed(false)
  return identity.hashOfFile(job.output).pipe(
    Effect.map((hash) => hash === previous),
    Effect.orElseSucceed(() => false)
  )
}

/** True if the output may be replaced. */
export const mayReplace = (job: Job): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  job.options.overwrite === true ? Effect.succeed(true) : isPrevious(job)

/** Records of the output, which content it is about to hold, if that is known. */
export const begin = (
  job: Job,
  temporary?: string
): Effect.Effect<void, DocumentJournal.DocumentJournalError> => {
  const { content, names, update } = job
  return content === undefined
    ? Effect.void
    : update(names.byOutput, { _tag: "Begun", content, previous: previousOf(job), temporary })
}

/** A translation that is whole: where it is, and the hash of that as it was written, if that is known. */
export type Finished = Omit<EntryOf<"Done">, "_tag" | "content">

/** Records that a translation is in its output: of the output, and of the document unless that is known. */
export const settle = (
  job: Job,
  { billedCharacters, documentId, hash, output }: Finished,
  about: ReadonlyArray<DocumentJournal.DocumentId> = [job.document]
): Effect.Effect<void, DocumentJournal.DocumentJournalError, Path.Path> =>
  Effect.flatMap(Path.Path, ({ resolve }) => {
    const { content, names, update } = job
    const done: DocumentJournal.Entry = {
      _tag: "Done",
      documentId,
      output: resolve(output),
      billedCharacters,
      content,
      hash
    }
    const all = content === undefined ? about : [...about, names.byOutput]
    return Effect.forEach(all, (document) => update(document, done), { discard: true })
  }).pipe(
    Effect.mapError(
      ({ message }) =>
        new DocumentJournal.DocumentJournalError({
          message: `${message} The translation is whole, and in ${output}.`,
          problem: message
        })
    )
  )

/** Of an equal file, whose output is not as it was written. */
const lost = ({ documentId, output }: EntryOf<"Done">, reason: "missing" | "changed") =>
  new DocumentError.OutputLost({ documentId, output, reason })

/** Writes the bytes of an output into a new file, and syncs it. */
const copyInto = (temporary: string, done: EntryOf<"Done">) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { digest, update } = makeByteHash()
    yield* writeNew(temporary, read(fs, done.output), (error) => error, { onBytes: update })
    if (digest() !== done.hash) return yield* lost(done, "changed")
  })

/** Copies the translation of an equal file into the output of this one. */
const copy = (job: Job, done: EntryOf<"Done">) =>
  Effect.gen(function* () {
    const { output } = job
    const fs = yield* FileSystem.FileSystem
    const overwrite = yield* mayReplace(job)
    if (!(yield* fs.exists(done.output))) return yield* lost(done, "missing")
    const { size } = yield* fs.stat(done.output)
    yield* documentFiles.prepare({ output, overwrite, space: Number(size) })
    const temporary = yield* temporaryFor(output)
    yield* begin(job, temporary)
    yield* Effect.uninterruptibleMask((restore) =>
      restore(copyInto(temporary, done)).pipe(
        Effect.zipRight(documentFiles.move(temporary, { output, overwrite })),
        Effect.onError(() => discard(temporary)),
        // Nothing is kept: another copy costs nothing.
        Effect.catchTag(
          "DocumentOutputUnusable",
          ({ detail, reason }) => new DocumentError.DocumentOutputUnusable({ output, reason, detail })
        )
      )
    )
    yield* settle(job, { ...done, output }, [])
  })

/**
 * Takes over a finished translation: it is the document's own, or its output is copied. Runs `upload` if the output was
 * replaced by the translation of another content of the same file.
 */
export const adopt = <E>(
  job: Job<E>,
  done: EntryOf<"Done">,
  upload: Running<E>
): Effect.Effect<
  Translated,
  Effect.Effect.Error<Running<E>> | DocumentError.OutputLost,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const { content, names, output, written } = job
    const { resolve } = yield* Path.Path
    const isSame = names.byOutput.output === resolve(done.output)
    const { billedCharacters, documentId } = done
    const own: Translated = {
      output: isSame ? output : done.output,
      documentId,
      billedCharacters,
      already: true
    }
    if (content === undefined || (written?._tag === "Done" && written.content === content)) return own
    const isBegun = written?._tag === "Begun" && written.content === content
    if (!isSame) {
      // An earlier run may have ended after the copy got its name.
      const isCopied =
        isBegun && done.hash !== undefined && (yield* identity.hashOfFile(output)) === done.hash
      yield* isCopied ? settle(job, { ...done, output }, []) : copy(job, done)
      return { ...own, output, copiedFrom: done.output }
    }
    const hash = isBegun ? done.hash : yield* identity.hashOfFile(done.output)
    if (hash !== undefined && hash === done.hash) {
      yield* settle(job, done, [])
      return own
    }
    if (written !== undefined) return yield* upload
    return yield* lost(done, hash === undefined ? "missing" : "changed")
  })
