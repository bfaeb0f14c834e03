/** The plan of a command line: its flags, and the settings where it has none. */
import { existsSync } from "node:fs"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Violation from "../../api/Violation.js"
import * as OutputPath from "../../format/OutputPath.js"
import * as columnPattern from "../../internal/columnPattern.js"
import { controlReason, hasControls } from "../../internal/controlCharacters.js"
import * as JobOptions from "../../job/JobOptions.js"
import type { SubmitInput } from "../declarations/jobs.js"
import type { CheckInput } from "../declarations/outputs.js"
import type { TranslateInput } from "../declarations/texts.js"
import { type Usage, usage } from "../failure.js"
import { valuesOf } from "../parameters.js"
import * as pushedMemory from "../pushedMemory.js"
import type { Translate } from "../settings/declarations.js"
import { isRemote, sourcesProblem } from "./remoteFiles.js"

/** The common input of `translate`, `check` and `job submit`. */
type SharedInput = Pick<TranslateInput, keyof TranslateInput & keyof CheckInput & keyof SubmitInput>

/** Flags for the formats of files. */
export type FormatFlags = Pick<
  SharedInput,
  "columns" | "encoding" | "keys" | "onBadLine" | "outputColumn" | "plurals"
> & { readonly fields: ReadonlyArray<string> | undefined }

/** Flags and settings, checked. */
export type PlanOf<I extends SharedInput> = Omit<I, "fields" | "targets"> & {
  readonly targets: ReadonlyArray<JobOptions.Target>
  /** The languages among them. */
  readonly languages: ReadonlyArray<string>
  /** The options of all texts. */
  readonly options: JobOptions.Options
  readonly fields: ReadonlyArray<string> | undefined
  /** The flags alone: settings are for files of other runs too. */
  readonly flags: FormatFlags
}

export type Plan = PlanOf<TranslateInput>

export type SharedPlan = PlanOf<SharedInput>

/** True if files name `-`: standard input, and standard output. */
export const isPipe = ({ files }: Pick<Plan, "files">): boolean => files.includes("-")

const isLanguage = Schema.is(LanguageCode.TargetLanguage)

const isTarget = Schema.is(JobOptions.Target)

const decodeTarget = Schema.decode(Schema.parseJson(JobOptions.OwnTarget))

/** The operands that are languages, and no files. */
const languagesAmong = (files: ReadonlyArray<string>): ReadonlyArray<string> =>
  files.filter(
    (file) =>
      file.split(",").every((code) => LanguageCode.known.includes(LanguageCode.canonical(code))) &&
      !existsSync(file)
  )

/** Languages that are written by people: `de`, `zh-Hant=zh-TW`, or JSON. */
const targetOf = (given: string | JobOptions.Target): Effect.Effect<JobOptions.Target, Usage> => {
  if (typeof given !== "string") return Effect.succeed(given)
  if (given.startsWith("{")) {
    return Effect.mapError(decodeTarget(given), ({ issue }) =>
      usage(`--to ${given}: ${Violation.format(Violation.fromIssue(issue))}.`)
    )
  }
  const [lang = "", name] = given.split("=")
  const code = LanguageCode.canonical(lang)
  if (!isLanguage(code)) {
    const advice = LanguageCode.advice(lang, "target") || "write --to with codes such as de,fr,pt-BR"
    return usage(`${JSON.stringify(lang)} is no language code: ${advice}.`)
  }
  const target = name === undefined ? code : { lang: code, name }
  return isTarget(target)
    ? Effect.succeed(target)
    : usage(`--to ${given}: give a code and its name in paths, such as zh-Hant=zh-TW.`)
}

/** The languages that are asked for, each once. */
export const targetsOf = (
  to: ReadonlyArray<string | JobOptions.Target>,
  files: ReadonlyArray<string> = []
): Effect.Effect<ReadonlyArray<JobOptions.Target>, Usage> =>
  Effect.gen(function* () {
    const given = to.map((one) => (typeof one === "string" ? one.trim() : one)).filter((one) => one !== "")
    if (given.length === 0) {
      return yield* usage(
        `Into which languages? Name them with --to, such as --to ${languagesAmong(files).join(",") || "de,fr,ja"}.`
      )
    }
    return Arr.dedupeWith(
      yield* Effect.forEach(given, targetOf),
      (one, other) => JobOptions.langOf(one) === JobOptions.langOf(other)
    )
  })

/** The first rule that a plan breaks. */
const ruleOf = (plan: SharedPlan & Partial<Plan>): string | undefined => {
  const { columns, files, out, outputColumn, sources = [] } = plan
  if (plan.report !== undefined && plan.dryRun === true)
    return "--report needs translations: leave out --dry-run."
  if (plan.report !== undefined && /\.(pdf|docx?|xlsx?)$/i.test(plan.report))
    return `--report writes a page of HTML: name it such as ${plan.report.replace(/\.\w+$/, ".html")}.`
  const odd = [...files, out ?? ""].find(hasControls)
  if (odd !== undefined) return `${JSON.stringify(odd)} is no path: ${controlReason}.`
  const misplaced = OutputPath.problemOf({ out })
  if (misplaced !== undefined) return `--out ${misplaced}`
  const problem = sourcesProblem(sources)
  if (problem !== undefined) return problem
  const lack = outputColumn && columnPattern.problemOf(outputColumn, columns)
  if (lack !== undefined) return `--output-column: ${lack}`
  if (plan.watch === true && files.some(isRemote))
    return "--watch looks at local files: leave it out for addresses."
  if (!isPipe(plan)) return undefined
  if (files.length > 1) return '"-" reads standard input: leave out the other files.'
  if (plan.languages.length > 1) return "Standard output holds one translation: name one language with --to."
  if (plan.format === undefined)
    return "Name the format of standard input with --format, such as --format csv."
  if (plan.watch === true) return "--watch needs files: standard input is read once."
  if ((plan.failOn ?? []).length > 0) return "--fail-on looks at outputs that are files: name some."
  return out === undefined
    ? undefined
    : "Translations of standard input go to standard output: leave out --out."
}

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)

/** The flags, and the settings where they are missing. */
const withSettings = <I extends SharedInput>(
  input: I,
  { targets: _, options: _1, ...settings }: Translate
): I => {
  const isOpen = (value: unknown, name: string) =>
    isGiven(value) && name in input && !isGiven(input[name as keyof I])
  return { ...input, ...Record.filter(settings as Record.ReadonlyRecord<string, unknown>, isOpen) }
}

/** The options of all texts: those of flags and variables before those of the file. */
const optionsOf = (
  { context, formality, from, glossary, model, style, translationMemoryThreshold }: SharedInput,
  {
    extraParameters,
    translationMemoryId
  }: Pick<JobOptions.Options, "extraParameters" | "translationMemoryId">,
  ofFile: JobOptions.Options = {}
): JobOptions.Options => ({
  ...ofFile,
  ...(glossary === undefined ? {} : { glossaryId: undefined, glossaryIds: undefined }),
  ...Record.filter(
    {
      sourceLang: from,
      styleId: style,
      translationMemoryId,
      translationMemoryThreshold,
      formality,
      modelType: model,
      context,
      extraParameters
    },
    (value) => value !== undefined
  )
})

/** The plan of a command line. */
export const make = <I extends SharedInput>(input: I, settings: Translate) =>
  Effect.gen(function* () {
    const given = withSettings(input, settings)
    const {
      store = settings.store,
      translationMemory
    }: SharedInput & Partial<Pick<TranslateInput, "store">> = given
    const isAsked = given.targets.length > 0
    const targets = yield* targetsOf(isAsked ? given.targets : (settings.targets ?? []), given.files)
    const translationMemoryId = translationMemory && (yield* pushedMemory.idOf(translationMemory, store))
    const extraParameters = yield* valuesOf(given.parameters)
    const options = optionsOf(given, { extraParameters, translationMemoryId }, settings.options)
    const plan: PlanOf<I> = {
      ...given,
      flags: input,
      from: options.sourceLang,
      columns: Arr.dedupe(given.columns),
      targets,
      languages: targets.map(JobOptions.langOf),
      options,
      fields: given.fields.length === 0 ? undefined : given.fields
    }
    if (plan.from !== undefined && !isLanguage(plan.from)) {
      const advice = LanguageCode.advice(plan.from, "source") || "write --from with a code such as en"
      return yield* usage(`${JSON.stringify(plan.from)} is no language code: ${advice}.`)
    }
    if (plan.files.length === 0) {
      return yield* usage(
        "Nothing to translate: name files or folders, such as effect-translate translate locales/en.json --to de,fr."
      )
    }
    const rule = ruleOf(plan)
    return rule === undefined ? plan : yield* usage(rule)
  })
