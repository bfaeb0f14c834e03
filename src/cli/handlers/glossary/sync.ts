import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as GlossaryFile from "../../../glossary/GlossaryFile.js"
import * as GlossarySync from "../../../glossary/GlossarySync.js"
import type { SyncInput } from "../../commands/glossary.js"
import { Usage } from "../../failure.js"
import * as files from "../../files.js"
import { Output } from "../../output.js"
import * as service from "../../service.js"
import * as text from "../../text.js"
import { nameOf, pairOf } from "./glossaries.js"

/** The languages that a name ends with: `en-de.csv`, `terms.en-de.csv`, `shop_en_de.tsv`. */
const languagesIn = /(?:^|[._-])([a-z]{2,3})[_-]([a-z]{2,3})\.[a-z]+$/i

const read = (file: string, dictionary: string | undefined) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const { basename } = yield* Path.Path
    const [, sourceLang, targetLang] = languagesIn.exec(basename(file)) ?? []
    const pair =
      sourceLang !== undefined && targetLang !== undefined
        ? { sourceLang, targetLang }
        : dictionary === undefined
          ? yield* new Usage({
              message: `${file}: say its languages by its name, as terms.en-de.csv does, or by --dictionary en:de.`
            })
          : yield* pairOf(dictionary)
    const found = yield* Effect.catchTags(GlossaryFile.read(file, pair), {
      GlossaryFileError: ({ message }) =>
        new Usage({ message: message.replace(', or the option "format" say what the file holds', "") }),
      SystemError: files.unreadable(file),
      BadArgument: files.unreadable(file)
    })
    if (found.ignored > 0) {
      yield* note(
        `${file}: left out ${text.plural(found.ignored, "row")} in languages other than ${nameOf(pair)}.`
      )
    }
    return found
  })

const actions: Readonly<Record<GlossarySync.Change["action"], string>> = {
  create: "new",
  replace: "changed",
  merge: "changed",
  delete: "deleted",
  none: "as it was"
}

const describe = (name: string, dryRun: boolean, report: GlossarySync.Report): string => {
  const { created, dictionaries, glossaryId, renamed, writes } = report
  const id = glossaryId === undefined ? "" : ` (${glossaryId})`
  const action = created
    ? "created"
    : renamed
      ? "renamed and changed"
      : writes === 0
        ? "was equal already"
        : "changed"
  return [
    dryRun
      ? `Nothing is done: ${name}${id} would take ${text.plural(writes, "call")}.`
      : `${name}${id}: ${action}.`,
    "",
    text.table(
      ["dictionary", "", "added", "changed", "removed"],
      dictionaries.map((change) => [
        nameOf(change),
        actions[change.action],
        change.added,
        change.changed,
        change.removed
      ])
    )
  ].join("\n")
}

export const handle = (input: SyncInput) =>
  Effect.gen(function* () {
    const { dictionary, dryRun, files: names, id, name } = input
    const { detail, result } = yield* Output
    const dictionaries = yield* Effect.forEach(names, (file) => read(file, dictionary))
    const options = { dictionaries, unlisted: input.delete ? "delete" : "keep", dryRun } as const
    const report = yield* GlossarySync.sync(
      id === undefined ? { ...options, name } : { ...options, name, glossaryId: id }
    ).pipe(
      Effect.catchTags({
        InvalidGlossary: ({ message }) =>
          new Usage({
            message: message.replace(/dictionaries\[(\d+)\](?:\.entries)?/g, (_, index) => names[index]!)
          }),
        AmbiguousGlossary: ({ glossaryIds }) =>
          new Usage({
            message: `${glossaryIds.length} glossaries are named ${name}: say which by --id, one of ${glossaryIds.join(", ")}.`
          })
      })
    )
    yield* Effect.forEach(report.dictionaries, (change) =>
      Effect.forEach(["added", "changed", "removed"] as const, (what) =>
        change.sources[what].length === 0
          ? Effect.void
          : detail(`${nameOf(change)}, ${what}: ${change.sources[what].join(" | ")}`)
      )
    )
    yield* result({ name, dryRun, ...report }, describe(name, dryRun, report))
  }).pipe(Effect.provide(service.client))
