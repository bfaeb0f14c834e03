/** The formats of a plan, with the options that it names for them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Format } from "../../format/Format.js"
import * as Formats from "../../format/Formats.js"
import type * as JobSource from "../../job/JobSource.js"
import { type Usage, usage } from "../failure.js"
import * as optionFlags from "../optionFlags.js"
import type { FormatFlags, SharedPlan } from "./translateOptions.js"

const optionsOf = ({
  columns,
  encoding,
  fields,
  keys,
  onBadLine,
  outputColumn,
  plurals
}: FormatFlags): Formats.Options => ({
  columns,
  encoding,
  key: keys,
  onBadLine,
  outputColumn,
  plurals,
  select: fields
})

/** The named format, and the detection of others. */
export const formatOf = ({ format, ...flags }: FormatFlags & Pick<SharedPlan, "format">) => {
  const formats = Formats.make(optionsOf(flags))
  const detect: JobSource.Detect = (file) => Formats.detect(file, formats)
  const named = format === undefined ? Effect.succeed(undefined) : Formats.byName(format, formats)
  return Effect.map(named, (named) => ({ named, detect }))
}

type OptionName = keyof Formats.Options

const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== undefined)

const reads = ({ rows, settings }: Format, option: OptionName): boolean =>
  option === "key" ? rows !== undefined : Predicate.hasProperty(settings, option)

/** A file of a run, and its format if it can be read. */
export interface Named<R> {
  readonly path: string
  readonly format: Effect.Effect<Option.Option<Format>, never, R>
}

/** The options that choose the texts of a file. */
const choosing: ReadonlyArray<OptionName> = ["columns", "select"]

/** Fails if a flag names an option that no format of the files has: it would be ignored, and all texts sent. */
export const check = <R>(
  { flags }: Pick<SharedPlan, "flags">,
  files: ReadonlyArray<Named<R>>
): Effect.Effect<void, Usage, R> => {
  const options = optionsOf(flags)
  const asked = (Object.keys(options) as ReadonlyArray<OptionName>).filter((option) =>
    isGiven(options[option])
  )
  return Effect.forEach(
    asked,
    (option) =>
      Effect.gen(function* () {
        const read = yield* Effect.findFirst(files, ({ format }) =>
          // A file that can't be read says so itself.
          Effect.map(format, Option.match({ onNone: () => true, onSome: (format) => reads(format, option) }))
        )
        const [first] = files
        if (Option.isSome(read) || first === undefined) return
        const format = Option.getOrThrow(yield* first.format)
        const other = choosing.includes(option) ? choosing.find((other) => reads(format, other)) : undefined
        const readers = Formats.make(options).filter((format) => reads(format, option))
        return yield* usage(
          `${optionFlags.ofJob[option]} is for files of ${readers.map(({ name }) => name).join(", ")}, and ${first.path} is ${format.name}${files.length === 1 ? "" : ", nor is there another"}: ${other === undefined ? "leave it out" : `choose its texts with ${optionFlags.ofJob[other]}`}.`
        )
      }),
    { discard: true }
  )
}
