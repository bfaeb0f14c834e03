import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type * as Document from "../../api/Document.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as ServiceKind from "../../api/ServiceKind.js"
import * as LanguageSupport from "../../client/LanguageSupport.js"
import * as Region from "../../client/Region.js"
import * as RequestChecks from "../../client/RequestChecks.js"
import * as DocumentBatch from "../../document/DocumentBatch.js"
import * as DocumentJournal from "../../document/DocumentJournal.js"
import * as JobOptions from "../../job/JobOptions.js"
import * as Budget from "../../stream/Budget.js"
import type { DocumentTranslateInput } from "../declarations/texts.js"
import * as leftOuts from "../discovery/leftOut.js"
import { Incomplete, usage } from "../failure.js"
import { finishing } from "../interrupts.js"
import * as optionFlags from "../optionFlags.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import { Settings } from "../settings/settings.js"
import * as stateFolder from "../stateFolder.js"
import * as text from "../textTable.js"
import { targetsOf } from "../translate/translateOptions.js"
import * as documentItems from "./documentItems.js"
import * as words from "./documentText.js"

const nameOf = ({ path, targetLang }: DocumentBatch.Item): string => `${path} into ${targetLang}`

/** Tells each status once: the same one comes again and again. */
const makeTeller = Effect.map(Output, ({ event, note }) => {
  const told = new Map<DocumentBatch.Item, string>()
  return (item: DocumentBatch.Item, { secondsRemaining, status }: Document.Status) =>
    Effect.suspend(() => {
      if (told.get(item) === status) return Effect.void
      told.set(item, status)
      const { path, targetLang } = item
      return Effect.zipRight(
        event({ type: "status", path, targetLang, status, secondsRemaining }),
        status === "done" ? Effect.void : note(`${nameOf(item)}: ${status}`)
      )
    })
})

const fieldsOf = (outcome: DocumentBatch.Outcome) => ({
  path: outcome.item.path,
  targetLang: outcome.item.targetLang,
  state: outcome._tag,
  output: outcome.output,
  ...(outcome._tag === "Translated"
    ? { documentId: outcome.documentId, billedCharacters: outcome.billedCharacters }
    : {}),
  ...(outcome._tag === "Skipped" ? { reason: outcome.reason } : {}),
  ...("error" in outcome ? { error: words.inWords(outcome.error) } : {})
})

const tell = (outcome: DocumentBatch.Outcome) =>
  Effect.flatMap(Output, ({ event, note }) =>
    Effect.zipRight(
      event({ type: "document", ...fieldsOf(outcome) }),
      note(`${nameOf(outcome.item)}: ${words.stateOf(outcome)}`)
    )
  )

/** Fails if a target is none of the kind of service, as each upload would. */
const checkTargets = (targets: ReadonlyArray<string>, kind: ServiceKind.ServiceKind) =>
  Effect.flatMap(RequestChecks.RequestChecks, ({ languages }) => {
    const problems = ServiceKind.holds(kind, "languages", languages)
      ? targets.flatMap((target) =>
          RequestChecks.targetProblems("targetLang", LanguageCode.canonical(target))
        )
      : []
    return problems.length === 0
      ? Effect.void
      : usage(`Nothing was uploaded: ${optionFlags.format(problems, optionFlags.ofDocument)}.`)
  })

/** Checks before any upload that the service knows these languages and options. */
const check = (all: ReadonlyArray<DocumentBatch.Item>) =>
  Effect.flatMap(LanguageSupport.current, ({ checkDocument }) => {
    const byLanguage = new Map(all.map((item) => [item.targetLang, item]))
    return Effect.forEach(
      byLanguage.values(),
      ({ targetLang, upload }) => checkDocument({ ...upload, targetLang }),
      { discard: true }
    )
  })

const tableOf = (all: ReadonlyArray<DocumentBatch.Item>, outcomes: ReadonlyArray<DocumentBatch.Outcome>) => {
  const byItem = new Map(outcomes.map((outcome) => [outcome.item, outcome]))
  return text.table(
    ["document", "language", "state", "characters", "output"],
    all.map((item) => {
      const outcome = byItem.get(item)
      const isThere = outcome?._tag === "Translated" || outcome?._tag === "Skipped"
      return [
        item.path,
        item.targetLang,
        outcome === undefined ? "not begun" : words.stateOf(outcome),
        outcome?._tag === "Translated" ? outcome.billedCharacters : undefined,
        isThere ? outcome.output : undefined
      ]
    })
  )
}

const isHalt = (outcome: DocumentBatch.Outcome): boolean =>
  outcome._tag === "Failed" && outcome.error._tag === "BatchHalted"

/** Prints the outcomes of all documents, and fails with an error for scripts. */
const conclude = (
  all: ReadonlyArray<DocumentBatch.Item>,
  outcomes: ReadonlyArray<DocumentBatch.Outcome>,
  leftOut: ReadonlyArray<leftOuts.LeftOut>,
  end: Either.Either<void, Effect.Effect.Error<ReturnType<typeof run>>>
) =>
  Effect.gen(function* () {
    const report = yield* Stream.run(Stream.fromIterable(outcomes), DocumentBatch.report())
    const missing = [...report.failed, ...report.ambiguous, ...report.lost]
    const failed = missing.filter((outcome) => !isHalt(outcome))
    const uploaded = report.failed.filter((outcome) => words.stateOf(outcome) === "uploaded").length
    const sums = {
      in: all.length,
      translated: report.translated,
      skipped: report.skipped,
      failed: report.failed.filter((outcome) => !isHalt(outcome)).length,
      ambiguous: report.ambiguous.length,
      lost: report.lost.length,
      uploaded,
      characters: report.characters
    }
    yield* Output.result(
      { ...sums, documents: outcomes.map(fieldsOf), leftOut: leftOuts.counts(leftOut) },
      text.lines(
        tableOf(all, outcomes),
        `${text.plural(report.translated, "document")} translated, ${text.plural(report.characters, "character")} billed.`,
        leftOuts.line(leftOut)
      )
    )
    const ended = Either.isLeft(end) ? end.left : undefined
    for (const { error, item } of failed) {
      const { _tag, message } = words.inWords(error)
      if (error._tag !== ended?._tag) yield* Output.warn({ _tag, message: `${nameOf(item)}: ${message}` })
    }
    if (ended?._tag === "BatchHalted" && (outcomes.length < all.length || outcomes.some(isHalt))) {
      const are = uploaded === 1 ? "is" : "are"
      const waiting =
        uploaded === 0 ? "" : ` ${text.plural(uploaded, "document")} ${are} uploaded and not downloaded yet.`
      return yield* Effect.fail({
        _tag: "BatchHalted",
        message: `Stopped.${waiting} The same command goes on, and uploads nothing twice.`
      })
    }
    if (ended !== undefined && ended._tag !== "BatchHalted") return yield* Effect.fail(words.inWords(ended))
    if (failed.length > 0) {
      yield* new Incomplete({
        message: `${text.plural(failed.length, "document")} of ${text.count(all.length)} could not be translated.`
      })
    }
  })

const run = (
  input: DocumentTranslateInput,
  all: ReadonlyArray<DocumentBatch.Item>,
  requested: Effect.Effect<void>,
  outcomes: Array<DocumentBatch.Outcome>
) =>
  Effect.gen(function* () {
    const onStatus = yield* makeTeller
    yield* Stream.fromIterable(all).pipe(
      DocumentBatch.run({
        budget: input.budget === undefined ? undefined : yield* Budget.make(input.budget),
        concurrency: input.concurrency,
        overwrite: input.existing === "overwrite",
        resubmit: input.resubmit,
        haltWhen: requested,
        onStatus
      }),
      Stream.tap(tell),
      Stream.runForEach((outcome) => Effect.sync(() => void outcomes.push(outcome)))
    )
  })

export const translate = (input: DocumentTranslateInput) =>
  Effect.gen(function* () {
    const { provider } = yield* Settings
    const kind = (yield* provider.load(Region.kindConfig)) ?? "specification"
    const targets = (yield* targetsOf(input.to)).map(JobOptions.langOf)
    yield* checkTargets(targets, ServiceKind.kinds[kind])
    const { items: all, leftOut } = yield* documentItems.make(input, targets, ServiceKind.kinds[kind])
    yield* leftOuts.tell(leftOut)
    const outcomes: Array<DocumentBatch.Outcome> = []
    yield* Effect.gen(function* () {
      yield* Effect.mapError(check(all), words.inWords)
      if (dirname(input.journal) === (yield* Settings).stateFolder) yield* stateFolder.make
      const end = yield* Effect.either(finishing((requested) => run(input, all, requested, outcomes)))
      yield* conclude(all, outcomes, leftOut, end)
    }).pipe(Effect.provide(Layer.merge(service.client, DocumentJournal.layerFile(input.journal))))
  })
