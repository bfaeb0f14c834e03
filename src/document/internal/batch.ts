import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { UploadOptions } from "../../client/Documents.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import * as bulkCalls from "../../internal/bulkCalls.js"
import * as DocumentError from "../DocumentError.js"
import * as DocumentJournal from "../DocumentJournal.js"
import type { Item, Options, Outcome } from "./batchModels.js"
import { mayUpload, nextStep } from "./documentStep.js"
import type { Shared } from "./documentTask.js"
import * as fatalErrors from "./fatalErrors.js"
import * as identity from "./identity.js"
import * as translate from "./translate.js"
import type * as DocumentTranslation from "./translationModels.js"

const outcomeOf = <A extends Item>(
  item: A,
  output: string,
  result: Either.Either<DocumentTranslation.Translated, DocumentTranslation.DocumentTranslationError>
): Outcome<A> => {
  if (Either.isRight(result)) {
    const { already, billedCharacters, copiedFrom, documentId, output } = result.right
    return already
      ? { _tag: "Skipped", item, output, reason: copiedFrom === undefined ? "done" : "duplicate" }
      : { _tag: "Translated", item, output, documentId, billedCharacters }
  }
  const error = result.left
  switch (error._tag) {
    case "AmbiguousUpload":
      return { _tag: "Ambiguous", item, output, error }
    case "DownloadLost":
    case "AlreadyDownloaded":
    case "OutputLost":
      return { _tag: "Lost", item, output, error }
    default:
      return { _tag: "Failed", item, output, error }
  }
}

export type Requirements =
  | TranslateClient.TranslateClient
  | DocumentJournal.DocumentJournal
  | FileSystem.FileSystem
  | Path.Path

/** The shared state of the items of one run. */
export interface Run<A extends Item> {
  readonly options: Options<A>
  readonly shared: Shared
  /** The documents and the outputs of the items so far. */
  readonly documents: Set<string>
  readonly outputs: Set<string>
}

export type Translation<A extends Item> = Effect.Effect<Outcome<A>, never, Requirements>

const uploadOf = ({ targetLang, upload }: Item): UploadOptions => ({ ...upload, targetLang })

/** Ends the run, if the error says so. */
const end = <A extends Item>(
  { shared: { ended, halted } }: Run<A>,
  error: DocumentTranslation.DocumentTranslationError
): Effect.Effect<void> => {
  const what = fatalErrors.ends(error)
  const halt = what === "all" ? Deferred.succeed(halted, error) : Effect.void
  return what === undefined ? Effect.void : Effect.zipRight(halt, Deferred.succeed(ended, error))
}

/** Ends the run, for no fault of a document. */
export const halt = ({ ended, halted }: Shared): Effect.Effect<unknown> => {
  const error = new DocumentError.BatchHalted({})
  return Effect.zipRight(Deferred.succeed(halted, error), Deferred.succeed(ended, error))
}

const translateItem = <A extends Item>(
  run: Run<A>,
  item: A,
  output: string,
  held?: identity.Content
): Translation<A> => {
  const { concurrency: _, haltWhen: __, onStatus, ...common } = run.options
  return translate
    .translate<never>({
      source: item.path,
      output,
      held,
      shared: run.shared,
      options: {
        ...common,
        ...uploadOf(item),
        onStatus: onStatus && ((status) => onStatus(item, status))
      }
    })
    .pipe(
      Effect.provideService(bulkCalls.BulkCalls, bulkCalls.plain()),
      Effect.tapError((error) => end(run, error)),
      Effect.either,
      Effect.map((result) => outcomeOf(item, output, result))
    )
}

/** Begins nothing more after the run has ended. */
const unlessEnded = <A extends Item>(run: Run<A>, item: A, output: string): Translation<A> =>
  Effect.if(Deferred.isDone(run.shared.ended), {
    onTrue: () =>
      Effect.map(Deferred.await(run.shared.ended), (error) =>
        outcomeOf(item, output, Either.left(fatalErrors.ofOther(error)(output)))
      ),
    onFalse: () => translateItem(run, item, output)
  })

/** The state of an item in the journal. Its file is read only if the journal knows something. */
const lookUp = <A extends Item>(run: Run<A>, item: A, names: identity.Names) =>
  Effect.gen(function* () {
    const client = yield* TranslateClient.TranslateClient
    const journal = yield* DocumentJournal.DocumentJournal
    const written = yield* identity.writtenOf(journal, names)
    if (written === undefined) return { isUpload: true, held: undefined }
    const held = yield* identity.contentOf(client.identity.service, item.path, uploadOf(item))
    const content = held?.content ?? written.content
    const known = yield* identity.find(journal, names, written, content)
    return { isUpload: mayUpload(nextStep(names.byName, known, run.options)), held }
  })

/** Sorts an item: on the right, work that may begin with an upload; on the left, work that waits for no upload. */
export const triage = <A extends Item>(
  run: Run<A>,
  item: A,
  output: string
): Effect.Effect<Either.Either<Translation<A>, Translation<A>>, never, Requirements> =>
  Effect.gen(function* () {
    const upload = uploadOf(item)
    const names = yield* identity.namesOf(item.path, output, upload)
    const resolved = names.byOutput.output
    const key = JSON.stringify([names.byName.file, resolved, identity.meaningOf(item.path, upload)])
    const ended = (outcome: Outcome<A>) => Either.left(Effect.succeed(outcome))
    if (run.documents.has(key)) return ended({ _tag: "Skipped", item, output, reason: "duplicate" })
    run.documents.add(key)
    if (run.outputs.has(resolved)) {
      const error = new DocumentError.DocumentOutputUnusable({ output, reason: "shared" })
      return ended({ _tag: "Failed", item, output, error })
    }
    run.outputs.add(resolved)
    // If the journal or the file can't be read, the translation fails with that too.
    const found = yield* Effect.orElseSucceed(lookUp(run, item, names), () => ({
      isUpload: false,
      held: undefined
    }))
    return found.isUpload
      ? Either.right(unlessEnded(run, item, output))
      : Either.left(translateItem(run, item, output, found.held))
  })
