/** The glossary that `--glossary` names: one of the service, or dictionaries in files. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as GlossaryFile from "../../glossary/GlossaryFile.js"
import * as GlossarySync from "../../glossary/GlossarySync.js"
import { fileMeant } from "../discovery/fileMeant.js"
import { usage } from "../failure.js"
import * as project from "../project.js"
import type { SharedPlan } from "./translateOptions.js"

/** No language: the entries of a file for it hold for all. */
const anyLanguage = "zxx"

const isFile = (glossary: string): boolean => /\.(csv|tsv)$/i.test(glossary) || existsSync(glossary)

const read = (file: string, sourceLang: string, targetLang: string) =>
  GlossaryFile.read(file, { sourceLang, targetLang }).pipe(
    Effect.catchTags({
      BadArgument: () => usage(`${file} can't be read.`),
      SystemError: ({ reason }) => usage(`The glossary ${file} can't be read (${reason}): check its name.`)
    })
  )

/** The dictionary of a file for each language that it has one for. */
const dictionariesOf = (file: string, from: string, targets: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (targets.length > 1) {
      const shared = yield* read(file, from, anyLanguage)
      if (shared.entries.length > 0) {
        return yield* usage(
          `${file} does not say which languages its terms are in, and would be used for all of ${targets.join(", ")}: add the codes of both languages to each row of a CSV file, or name a file for each language, such as --glossary terms.{lang}.csv.`
        )
      }
    }
    const all = yield* Effect.forEach(targets, (target) => read(file, from, target))
    return all.filter(({ entries }) => entries.length > 0)
  })

const basesOf = (languages: ReadonlyArray<string>): ReadonlyArray<string> =>
  Arr.dedupe(languages.map(LanguageCode.base))

const namesOf = (glossary: string, bases: ReadonlyArray<string>): ReadonlyArray<string> =>
  Arr.dedupe(bases.map((target) => glossary.replaceAll("{lang}", target)))

/** The paths that a glossary has if it is one of files. */
export const filesOf = ({ glossary, languages }: SharedPlan): ReadonlyArray<string> =>
  glossary === undefined ? [] : namesOf(glossary, basesOf(languages))

/** The problem with the files of a glossary before they are read. */
const fileProblem = (glossary: string, bases: ReadonlyArray<string>): string | undefined => {
  if (!/\.(csv|tsv)$/i.test(glossary)) {
    return `${glossary} is no file of terms: write them as CSV, a row such as cart,Wagen for each, into a file that ends in .csv or .tsv.`
  }
  const files = namesOf(glossary, bases)
  if (files.some((file) => existsSync(file))) return undefined
  const isPattern = glossary.includes("{lang}")
  const inPattern = (name: string) =>
    bases
      .map((base) => name.replace(new RegExp(`(?<=[._-])${base}(?=\\.)`), "{lang}"))
      .filter((pattern) => pattern !== name)
  const advice = fileMeant(glossary, isPattern ? inPattern : undefined)
  return `There is no file ${files.join(" and no ")}: check the name.${advice}`
}

/** The dictionaries of files, and the name that people know them by. */
export interface Files extends Pick<GlossarySync.ProjectOptions, "dictionaries"> {
  readonly label: string
}

/** A glossary of the service, or files of which one is made. */
interface Found {
  readonly files?: Files
  readonly glossaryId?: string
}

/** The glossary of files for a project. */
export const ofProject = (files: Files, isDry: boolean) =>
  Effect.map(project.identity(isDry), (id) => ({ ...files, project: id }))

/** The part of a plan that says which terms are used. */
type Terms = Pick<SharedPlan, "from" | "glossary" | "languages">

/** The glossary that an option names. */
export const make = ({ from, glossary, languages: targets }: Terms) =>
  Effect.gen(function* () {
    if (glossary === undefined) return {}
    if (!isFile(glossary)) return { glossaryId: glossary }
    if (from === undefined) {
      return yield* usage("--glossary needs --from: the terms of a file are for a pair of languages.")
    }
    const bases = basesOf(targets)
    const problem = fileProblem(glossary, bases)
    if (problem !== undefined) return yield* usage(problem)
    const found = glossary.includes("{lang}")
      ? yield* Effect.forEach(bases, (target) => {
          const file = glossary.replaceAll("{lang}", target)
          return existsSync(file) ? dictionariesOf(file, from, [target]) : Effect.succeed([])
        })
      : [yield* dictionariesOf(glossary, from, bases)]
    const dictionaries = found.flat().map(({ ignored: _, ...dictionary }) => dictionary)
    if (dictionaries.length === 0) {
      return yield* usage(
        `${glossary} has no terms from ${from} into ${targets.join(", ")}: check the codes in its rows.`
      )
    }
    return { files: { label: basename(glossary), dictionaries } }
  }).pipe(Effect.map((found: Found) => found))

/** The terms of files that `--glossary` names; the content of a glossary of the service is not known here. */
export const termsOf = (plan: Terms) =>
  Effect.map(make(plan), ({ files }) => {
    const terms = new Map(
      plan.languages.map((targetLang) => [
        LanguageCode.base(targetLang),
        GlossarySync.terms(files?.dictionaries ?? [], { sourceLang: plan.from, targetLang })
      ])
    )
    return (targetLang: string) => terms.get(LanguageCode.base(targetLang))
  })
