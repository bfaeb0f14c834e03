import * as Path from "@effect/platform/Path"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as GlossaryEntries from "../../api/GlossaryEntries.js"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as Glossaries from "../../client/Glossaries.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import * as GlossaryCsv from "../../glossary/GlossaryCsv.js"
import * as GlossaryFile from "../../glossary/GlossaryFile.js"
import * as GlossarySync from "../../glossary/GlossarySync.js"
import type { Actions } from "../command.js"
import type { glossary } from "../declarations/account.js"
import { type Usage, usage } from "../failure.js"
import { findByIdOrName } from "../idOrName.js"
import * as files from "../namedFiles.js"
import * as optionFlags from "../optionFlags.js"
import { besideFile, Output } from "../output.js"
import * as service from "../serviceClient.js"
import type { InputOf } from "../settings/declarations.js"
import { confirm } from "../terminal/prompt.js"
import * as text from "../textTable.js"

type ExportInput = InputOf<(typeof glossary)["commands"]["export"]>

/** The glossary of an id or a name. */
const find = (reference: string) =>
  Effect.gen(function* () {
    const { glossaries } = yield* TranslateClient.TranslateClient
    return yield* findByIdOrName(reference, {
      noun: "glossary",
      nouns: "glossaries",
      idOf: ({ glossaryId }) => glossaryId,
      list: glossaries.list,
      get: glossaries.get
    })
  })

/** The name of a language pair in `--dictionary`. */
const nameOf = ({ sourceLang, targetLang }: Glossaries.Pair): string => `${sourceLang}:${targetLang}`

/** The language pair that `--dictionary` names. */
const pairOf = (given: string): Effect.Effect<Glossaries.Pair, Usage> => {
  const [, sourceLang, targetLang] = /^([a-z0-9-]+):([a-z0-9-]+)$/i.exec(given) ?? []
  return sourceLang === undefined || targetLang === undefined
    ? usage(`--dictionary ${given}: give both languages, such as en:de.`)
    : Effect.succeed({ sourceLang, targetLang })
}

/** The dictionary of a glossary that `--dictionary` names. */
const dictionaryOf = (glossary: Glossaries.Glossary, given: string) =>
  Effect.flatMap(pairOf(given), ({ sourceLang, targetLang }) => {
    const found = glossary.dictionaries.find(
      (dictionary) =>
        LanguageCode.base(dictionary.sourceLang) === LanguageCode.base(sourceLang) &&
        LanguageCode.base(dictionary.targetLang) === LanguageCode.base(targetLang)
    )
    return found === undefined
      ? usage(
          `${glossary.name} has no dictionary ${given}; it has ${glossary.dictionaries.map(nameOf).join(", ")}.`
        )
      : Effect.succeed(found)
  })

/** The languages that a name ends with: `en-de.csv`, `terms.en-de.csv`, `shop_en_de.tsv`. */
const languagesIn = /(?:^|[._-])([a-z]{2,3})[_-]([a-z]{2,3})\.[a-z]+$/i

const read = (file: string, dictionary: string | undefined) =>
  Effect.gen(function* () {
    const { basename } = yield* Path.Path
    const [, sourceLang, targetLang] = languagesIn.exec(basename(file)) ?? []
    const pair =
      sourceLang !== undefined && targetLang !== undefined
        ? { sourceLang, targetLang }
        : dictionary === undefined
          ? yield* usage(
              `${file}: say its languages by its name, as terms.en-de.csv does, or by --dictionary en:de.`
            )
          : yield* pairOf(dictionary)
    const found = yield* Effect.catchTags(GlossaryFile.read(file, pair), {
      GlossaryFileError: ({ message, reason }) =>
        usage(reason === "format" ? `${file}: the name must end with .csv or .tsv.` : message),
      SystemError: files.unreadable(file),
      BadArgument: files.unreadable(file)
    })
    if (found.ignored > 0) {
      yield* Output.note(
        `${file}: left out ${text.plural(found.ignored, "row")} in languages other than ${nameOf(pair)}.`
      )
    }
    return found
  })

/** The names of the fields of dictionaries that are read from files. */
const fieldsOf = (files: ReadonlyArray<string>) =>
  Object.fromEntries(
    files.flatMap((file, index) => [
      [`dictionaries[${index}]`, file],
      [`dictionaries[${index}].entries`, file],
      [`dictionaries[${index}].sourceLang`, `the first language of ${file}`],
      [`dictionaries[${index}].targetLang`, `the second language of ${file}`]
    ])
  )

const words: Readonly<Record<GlossarySync.Change["action"], string>> = {
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
        words[change.action],
        change.added,
        change.changed,
        change.removed
      ])
    )
  ].join("\n")
}

/** Where the dictionary goes, and in which format. */
interface Target {
  readonly dictionary: Glossaries.Dictionary
  readonly file: string
  readonly format: "csv" | "tsv"
}

const targetsOf = ({ dictionary, format, out }: ExportInput, glossary: Glossaries.Glossary) =>
  Effect.gen(function* () {
    const { join } = yield* Path.Path
    const wanted =
      dictionary === undefined ? glossary.dictionaries : [yield* dictionaryOf(glossary, dictionary)]
    if (out !== files.standard && (out.endsWith("/") || files.isFolder(out))) {
      yield* files.makeFolder(out)
      return wanted.map((dictionary): Target => {
        const { sourceLang, targetLang } = dictionary
        return {
          dictionary,
          file: join(out, `${sourceLang}-${targetLang}.${format ?? "csv"}`),
          format: format ?? "csv"
        }
      })
    }
    const [only, ...others] = wanted
    if (only === undefined || others.length > 0) {
      return yield* usage(
        `${glossary.name} has the dictionaries ${wanted.map(nameOf).join(", ")}: say which by --dictionary, or give a folder to --out.`
      )
    }
    const named = out.toLowerCase().endsWith(".tsv") ? "tsv" : "csv"
    return [{ dictionary: only, file: out, format: format ?? named } satisfies Target]
  })

export const actions: Actions<typeof glossary> = {
  list: () =>
    Effect.gen(function* () {
      const { glossaries } = yield* TranslateClient.TranslateClient
      const all = yield* glossaries.list
      if (all.length === 0) yield* Output.note("There are no glossaries.")
      yield* Output.result(
        { glossaries: all },
        all.length === 0
          ? ""
          : text.table(
              ["id", "name", "dictionaries", "created"],
              all.map(({ creationTime, dictionaries, glossaryId, name }) => [
                glossaryId,
                name,
                dictionaries.map(nameOf).join(" "),
                creationTime && DateTime.formatIsoDateUtc(creationTime)
              ])
            )
      )
    }).pipe(Effect.provide(service.client)),

  show: ({ glossary }) =>
    Effect.gen(function* () {
      const found = yield* find(glossary)
      yield* Output.result(
        found,
        [
          `${found.name} (${found.glossaryId})`,
          "",
          text.table(
            ["dictionary", "entries"],
            found.dictionaries.map((dictionary) => [nameOf(dictionary), dictionary.entryCount])
          )
        ].join("\n")
      )
    }).pipe(Effect.provide(service.client)),

  sync: (input) =>
    Effect.gen(function* () {
      const { dictionary, dryRun, files: names, id, name } = input
      const dictionaries = yield* Effect.forEach(names, (file) => read(file, dictionary))
      const options = { dictionaries, prune: input.delete, dryRun }
      const report = yield* GlossarySync.sync(
        id === undefined ? { ...options, name } : { ...options, name, glossaryId: id }
      ).pipe(
        Effect.catchTags({
          InvalidGlossary: (error) =>
            usage(
              `The glossary was not synchronised: ${optionFlags.format(error.violations, fieldsOf(names))}`
            ),
          AmbiguousGlossary: ({ glossaryIds }) =>
            usage(
              `${glossaryIds.length} glossaries are named ${name}: say which by --id, one of ${glossaryIds.join(", ")}.`
            )
        })
      )
      yield* Effect.forEach(report.dictionaries, (change) =>
        Effect.forEach(["added", "changed", "removed"] as const, (what) =>
          change.sources[what].length === 0
            ? Effect.void
            : Output.detail(`${nameOf(change)}, ${what}: ${change.sources[what].join(" | ")}`)
        )
      )
      yield* Output.result({ name, dryRun, ...report }, describe(name, dryRun, report))
    }).pipe(Effect.provide(service.client)),

  export: (input) =>
    Effect.gen(function* () {
      const { result } = yield* besideFile(input.out, input)
      const { glossaries } = yield* TranslateClient.TranslateClient
      const glossary = yield* find(input.glossary)
      const targets = yield* targetsOf(input, glossary)
      const written = yield* Effect.forEach(
        targets,
        ({ dictionary: { sourceLang, targetLang }, file, format }) =>
          Effect.gen(function* () {
            const { entries } = yield* glossaries.entries(glossary.glossaryId, { sourceLang, targetLang })
            const encode = format === "csv" ? GlossaryCsv.encode : GlossaryEntries.encodeTsv
            const lines = yield* encode(entries)
            yield* files.write(file, Stream.encodeText(Stream.make(`${lines}\n`)))
            return { sourceLang, targetLang, file, entries: entries.length }
          })
      )
      yield* result(
        { glossaryId: glossary.glossaryId, dictionaries: written },
        written
          .map(
            (one) =>
              `${nameOf(one)}: ${text.plural(one.entries, "entry", "entries")}, ${files.nameOf(one.file)}`
          )
          .join("\n")
      )
    }).pipe(Effect.provide(service.client)),

  delete: ({ dictionary, glossaries: references, yes }) =>
    Effect.gen(function* () {
      const { glossaries } = yield* TranslateClient.TranslateClient
      const targets = yield* Effect.forEach([...new Set(references)], (reference) =>
        Effect.gen(function* () {
          const found = yield* find(reference)
          return { found, pair: dictionary && (yield* dictionaryOf(found, dictionary)) }
        })
      )
      const names = targets.map(({ found, pair }) => (pair ? `${nameOf(pair)} of ${found.name}` : found.name))
      yield* confirm(`Delete ${names.join(", ")} for good?`, { yes })
      yield* Effect.forEach(targets, ({ found: { glossaryId }, pair }) =>
        pair
          ? glossaries.deleteDictionary(glossaryId, {
              sourceLang: pair.sourceLang,
              targetLang: pair.targetLang
            })
          : glossaries.delete(glossaryId)
      )
      yield* Output.result(
        { deleted: targets.map(({ found: { glossaryId, name } }) => ({ glossaryId, name })), dictionary },
        names.map((name) => `Deleted ${name}.`).join("\n")
      )
    }).pipe(Effect.provide(service.client))
}
