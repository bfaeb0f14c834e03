/** What a command line asks for: its flags, and what the settings say where it has none. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as LanguageCode from "../../api/LanguageCode.js"
import type { Input } from "../commands/translate.js"
import { Usage } from "../failure.js"
import type { Translate } from "../settings/configFile.js"
import * as outputPath from "./outputPath.js"

/** Flags and settings, checked. */
export interface Plan extends Omit<Input, "to" | "files" | "columns" | "fields"> {
  readonly files: ReadonlyArray<string>
  readonly targets: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  readonly fields: ReadonlyArray<string> | undefined
}

/** What `-` stands for: standard input, and standard output. */
export const isPipe = ({ files }: Pick<Plan, "files">): boolean => files.includes("-")

const fail = (message: string) => Effect.fail(new Usage({ message }))

const isTarget = Schema.is(LanguageCode.TargetLanguage)

export const languages = (to: ReadonlyArray<string>) => {
  const codes = to
    .flatMap((codes) => codes.split(","))
    .map((code) => LanguageCode.canonical(code.trim()))
    .filter((code) => code !== "")
  const wrong = codes.find((code) => !isTarget(code))
  if (wrong !== undefined) {
    return fail(`${JSON.stringify(wrong)} is no language code: write --to with codes such as de,fr,pt-BR.`)
  }
  return codes.length === 0
    ? fail("Into which languages? Name them with --to, such as --to de,fr,ja.")
    : Effect.succeed(Arr.dedupe(codes))
}

/** The first rule that a plan breaks. */
const ruleOf = (plan: Plan): string | undefined => {
  const { budget, concurrency, files, limit, maxFailed, out, price } = plan
  const isLess = (value: number | undefined, least: number) => value !== undefined && !(value >= least)
  if (isLess(limit, 1)) return "--limit must be a whole number of at least 1."
  if (isLess(concurrency, 1)) return "--concurrency must be a whole number of at least 1."
  if (isLess(budget, 0)) return "--budget must be 0 or more characters."
  if (isLess(price, 0)) return "--price must be 0 or more."
  if (isLess(maxFailed, 0) || (maxFailed ?? 0) > 1) return "--max-failed must be a share from 0 to 1."
  if (plan.report !== undefined && plan.dryRun) return "--report is of what was done: leave out --dry-run."
  const problem = outputPath.placeholderProblem(out)
  if (problem !== undefined) return problem
  if (!isPipe(plan)) return undefined
  if (files.length > 1) return '"-" reads standard input: leave out the other files.'
  if (plan.targets.length > 1) return "Standard output holds one translation: name one language with --to."
  if (plan.format === undefined)
    return "Name the format of standard input with --format, such as --format csv."
  if (plan.watch) return "--watch needs files: standard input is read once."
  return out === undefined
    ? undefined
    : "Translations of standard input go to standard output: leave out --out."
}

/** The plan of a command line. */
export const make = (input: Input, set: Translate) =>
  Effect.gen(function* () {
    const given = <A>(values: ReadonlyArray<A>, others: ReadonlyArray<A> = []) =>
      values.length > 0 ? values : others
    const fields = given(input.fields, set.fields)
    const files = given(input.files, set.files)
    const plan: Plan = {
      ...input,
      files,
      targets: yield* languages(given(input.to, set.to)),
      from: input.from ?? set.from,
      out: input.out ?? set.out,
      format: input.format ?? set.format,
      columns: given(input.columns, set.columns),
      fields: fields.length === 0 ? undefined : fields,
      glossary: input.glossary ?? set.glossary,
      style: input.style ?? set.style,
      formality: input.formality ?? set.formality,
      context: input.context ?? set.context,
      budget: input.budget ?? set.budget,
      price: input.price ?? set.price,
      existing: input.existing ?? set.existing,
      model: input.model ?? set.model,
      removed: input.removed ?? set.removed,
      failed: input.failed ?? set.failed
    }
    if (files.length === 0) {
      return yield* fail(
        "What is to be translated? Name files or folders, such as: effect-translate translate locales/en.json --to de,fr."
      )
    }
    const rule = ruleOf(plan)
    return rule === undefined ? plan : yield* fail(rule)
  })
