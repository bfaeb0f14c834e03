/** What a command line asks for: its flags, and what the settings say where it has none. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as columnPattern from "../../internal/columnPattern.js"
import type { SubmitInput } from "../commands/declarations/jobs.js"
import type { CheckInput, TranslateInput } from "../commands/declarations/texts.js"
import { Usage } from "../failure.js"
import * as pushedMemory from "../pushedMemory.js"
import type { Translate } from "../settings/declarations.js"
import * as outputPath from "./outputPath.js"
import { isRemote, sourcesProblem } from "./remoteFiles.js"

/** What `translate`, `check` and `job submit` all take. */
type SharedInput = Pick<TranslateInput, keyof TranslateInput & keyof CheckInput & keyof SubmitInput>

/** Flags and settings, checked. */
export type PlanOf<I extends SharedInput> = Omit<I, "to" | "fields" | "pathLang"> & {
  /** Names of languages in paths, by their codes. */
  readonly codes: Readonly<Record<string, string>>
  readonly targets: ReadonlyArray<string>
  readonly fields: ReadonlyArray<string> | undefined
}

export type Plan = PlanOf<TranslateInput>

export type SharedPlan = PlanOf<SharedInput>

/** What `-` stands for: standard input, and standard output. */
export const isPipe = ({ files }: Pick<Plan, "files">): boolean => files.includes("-")

const fail = (message: string) => Effect.fail(new Usage({ message }))

const isLanguage = Schema.is(LanguageCode.TargetLanguage)

export const languages = (to: ReadonlyArray<string>) => {
  const codes = to.map((code) => LanguageCode.canonical(code.trim())).filter((code) => code !== "")
  const wrong = codes.find((code) => !isLanguage(code))
  if (wrong !== undefined) {
    const advice = LanguageCode.advice(wrong, "target") || "write --to with codes such as de,fr,pt-BR"
    return fail(`${JSON.stringify(wrong)} is no language code: ${advice}.`)
  }
  return codes.length === 0
    ? fail("Into which languages? Name them with --to, such as --to de,fr,ja.")
    : Effect.succeed(Arr.dedupe(codes))
}

const codesOf = (pathLang: ReadonlyArray<string>, targets: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(pathLang, (given) => {
      const [code = "", name = ""] = given.split("=")
      const lang = LanguageCode.canonical(code)
      if (!/^[\w@+.-]+$/.test(name)) {
        return fail(`--path-lang ${given}: give a code and its name in paths, such as zh-Hant=zh-TW.`)
      }
      return targets.includes(lang)
        ? Effect.succeed([lang, name] as const)
        : fail(
            `--path-lang ${given}: ${code} is none of the languages to translate into, ${targets.join(", ")}.`
          )
    }),
    Record.fromEntries
  )

/** The first rule that a plan breaks. */
const ruleOf = (plan: SharedPlan & Partial<Plan>): string | undefined => {
  const { columns, files, out, outputColumn, sources = [] } = plan
  if (plan.report !== undefined && plan.dryRun === true)
    return "--report is of what was done: leave out --dry-run."
  const problem = outputPath.placeholderProblem(out) ?? sourcesProblem(sources)
  if (problem !== undefined) return problem
  const lack = outputColumn && columnPattern.problemOf(outputColumn, columns)
  if (lack !== undefined) return `--output-column: ${lack}`
  if (plan.watch === true && files.some(isRemote))
    return "--watch looks at local files: leave it out for addresses."
  if (!isPipe(plan)) return undefined
  if (files.length > 1) return '"-" reads standard input: leave out the other files.'
  if (plan.targets.length > 1) return "Standard output holds one translation: name one language with --to."
  if (plan.format === undefined)
    return "Name the format of standard input with --format, such as --format csv."
  if (plan.watch === true) return "--watch needs files: standard input is read once."
  return out === undefined
    ? undefined
    : "Translations of standard input go to standard output: leave out --out."
}

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)

/** What flags say, and settings where they say nothing. */
const withSettings = <I extends SharedInput>(input: I, settings: Translate): I => {
  const isOpen = (value: unknown, name: string) =>
    isGiven(value) && name in input && !isGiven(input[name as keyof I])
  return { ...input, ...Record.filter(settings as Record.ReadonlyRecord<string, unknown>, isOpen) }
}

/** The plan of a command line. */
export const make = <I extends SharedInput>(input: I, settings: Translate) =>
  Effect.gen(function* () {
    const given = withSettings(input, settings)
    const {
      store = settings.store,
      translationMemory
    }: SharedInput & Partial<Pick<TranslateInput, "store">> = given
    const targets = yield* languages(given.to)
    const plan: PlanOf<I> = {
      ...given,
      columns: Arr.dedupe(given.columns),
      targets,
      codes: yield* codesOf(given.pathLang, targets),
      fields: given.fields.length === 0 ? undefined : given.fields,
      translationMemory: translationMemory && (yield* pushedMemory.idOf(translationMemory, store))
    }
    if (plan.from !== undefined && !isLanguage(plan.from)) {
      const advice = LanguageCode.advice(plan.from, "source") || "write --from with a code such as en"
      return yield* fail(`${JSON.stringify(plan.from)} is no language code: ${advice}.`)
    }
    if (plan.files.length === 0) {
      return yield* fail(
        "What is to be translated? Name files or folders, such as: effect-translate translate locales/en.json --to de,fr."
      )
    }
    const rule = ruleOf(plan)
    return rule === undefined ? plan : yield* fail(rule)
  })
