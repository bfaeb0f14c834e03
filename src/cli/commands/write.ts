import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type * as Write from "../../api/Write.js"
import * as LanguageSupport from "../../client/LanguageSupport.js"
import type * as TranslateClient from "../../client/TranslateClient.js"
import type * as Format from "../../format/Format.js"
import * as Lines from "../../format/Lines.js"
import * as Paragraphs from "../../format/Paragraphs.js"
import * as Outcome from "../../stream/Outcome.js"
import * as WriteStream from "../../stream/WriteStream.js"
import type { Actions } from "../command.js"
import type { write } from "../declarations/texts.js"
import { Incomplete, type Usage, usage } from "../failure.js"
import * as files from "../namedFiles.js"
import { inFlags, ofWriting } from "../optionFlags.js"
import { Output } from "../output.js"
import { valuesOf } from "../parameters.js"
import * as service from "../serviceClient.js"
import type { InputOf } from "../settings/declarations.js"
import * as text from "../textTable.js"

type CorrectInput = InputOf<(typeof write)["commands"]["correct"]>

/** A text of the command line, however many lines it has. */
const given = (text: string): Format.Part => ({
  raw: `${text}\n`,
  units: [{ key: "1", text, line: 1, state: "missing" }],
  write: ([improved = text]) => Either.right(`${improved}\n`)
})

/** True if the text is on the command line. */
const isGiven = ({ text }: CorrectInput): boolean => text !== undefined && text !== files.standard

const partsOf = (
  input: CorrectInput
): Stream.Stream<Format.Part, Usage | Format.FormatError, FileSystem.FileSystem> => {
  const { file, lang = "", paragraphs, text } = input
  if (text !== undefined && file !== undefined) {
    return Stream.fail(usage("Give a text or --file, not both."))
  }
  if (text !== undefined && isGiven(input)) return Stream.make(given(text))
  const name = file ?? files.standard
  return files.read(name).pipe(
    (paragraphs ? Paragraphs.format : Lines.format).decode({
      targetLang: lang,
      file: name === files.standard ? "standard input" : name
    })
  )
}

/** A part with its texts; those that were not improved stay. */
const written = ({ raw, write }: Format.Part, texts: ReadonlyArray<string>): string =>
  write === undefined ? raw : Either.getOrElse(write(texts), () => raw)

type Parts = ReturnType<typeof partsOf>

const options = (input: CorrectInput) =>
  Effect.map(valuesOf(input.parameters), (extraParameters) => ({
    targetLang: input.lang,
    extraParameters,
    texts: ({ units }: Format.Part) => units.map(({ text }) => text),
    replace: written
  }))

type Improved = Stream.Stream<
  Outcome.Outcome<string, Format.Part>,
  Stream.Stream.Error<Parts> | Outcome.StreamError,
  Stream.Stream.Context<Parts> | TranslateClient.TranslateClient
>

/** Reports a text that was left as it is, without its content. A text of the command line fails as a whole. */
const complain = (isOnly: boolean) => (outcome: Outcome.Outcome<string, Format.Part>) =>
  Effect.flatMap(Output, ({ warn }) =>
    Effect.forEach(outcome._tag === "Failed" ? outcome.failures : [], ({ error, field }) => {
      if (isOnly || error.isFatal) return Effect.fail(error)
      const line = outcome.source.units[Number(field)]?.line
      const { _tag, message } = inFlags(ofWriting)(error)
      return warn({ _tag, message: `Line ${line} was left as it is: ${message}` })
    })
  )

/** Asks for the languages first, so that nothing is read or billed in vain. */
const check = (options: Write.RephraseOptions) =>
  Object.values(options).every((option) => option === undefined)
    ? Effect.void
    : Effect.flatMap(LanguageSupport.current, ({ checkWrite }) => checkWrite(options))

/** Improves the texts of the command line, and writes them to standard output. */
const run = (
  input: CorrectInput,
  improve: (parts: Parts, given: Effect.Effect.Success<ReturnType<typeof options>>) => Improved,
  manner: Pick<Write.RephraseOptions, "writingStyle" | "tone"> = {}
) =>
  Effect.gen(function* () {
    yield* Effect.mapError(check({ ...manner, targetLang: input.lang }), inFlags(ofWriting))
    const { json } = yield* Output
    const tally = yield* Ref.make(Outcome.zero)
    const outcomes = improve(partsOf(input), yield* options(input)).pipe(
      Stream.tap(complain(isGiven(input))),
      Stream.mapError(inFlags(ofWriting)),
      Stream.tap((outcome) => Ref.update(tally, (sum) => Outcome.add(sum, outcome)))
    )
    yield* json
      ? Stream.runForEach(outcomes, ({ _tag, source, value }) =>
          source.units.length === 0
            ? Effect.void
            : Output.event({
                type: "text",
                line: source.units[0]?.line,
                state: _tag,
                text: value.replace(/\r?\n$/, "")
              })
        )
      : files.write(files.standard, Stream.encodeText(Stream.map(outcomes, ({ value }) => value)))
    const sum = yield* tally
    yield* Output.result(sum, "")
    yield* Output.detail(
      `${text.plural(sum.translated, "text")}, ${text.plural(sum.characters, "character")} billed.`
    )
    if (sum.failed > 0) {
      yield* new Incomplete({ message: `${text.plural(sum.failed, "text")} could not be improved.` })
    }
  }).pipe(Effect.provide(service.client))

export const actions: Actions<typeof write> = {
  rephrase: ({ style: writingStyle, tone, ...input }) => {
    const manner = { writingStyle, tone }
    return run(input, (parts, options) => WriteStream.rephraseWith(parts, { ...options, ...manner }), manner)
  },
  correct: (input) => run(input, WriteStream.correctWith)
}
