import * as Args from "@effect/cli/Args"
import * as Cli from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"

const correct = {
  text: Args.text({ name: "text" }).pipe(
    Args.withDescription(
      "The text. Without it, or if it is -, standard input is read, or the file of --file."
    ),
    Args.atMost(1)
  ),
  file: Command.text("file", "file", "A file of UTF-8 text in place of the text.").pipe(Command.optional),
  lang: Command.text(
    "lang",
    "code",
    "The language of the text, such as en-GB: texts in another variant are converted to it. Without it the service finds out."
  ).pipe(Command.optional),
  paragraphs: Options.boolean("paragraphs").pipe(
    Options.withDescription(
      "Blank lines separate the texts of a file or of standard input: for prose whose lines are wrapped. Without it each line is a text."
    )
  )
}

const rephrase = {
  ...correct,
  style: Options.text("style").pipe(
    Options.withDescription("How to write: academic, business, casual or simple. Not with --tone."),
    Options.withPseudoName("style"),
    Command.optional
  ),
  tone: Options.text("tone").pipe(
    Options.withDescription(
      "How to sound: confident, diplomatic, enthusiastic or friendly. Not with --style."
    ),
    Options.withPseudoName("tone"),
    Command.optional
  )
}

export type CorrectInput = Command.Input<typeof correct>
export type RephraseInput = Command.Input<typeof rephrase>

export const write = Cli.make("write").pipe(
  Cli.withDescription("Improves texts in their own language."),
  Cli.withSubcommands([
    Command.make(
      "rephrase",
      'Rephrases texts: spelling, grammar and wording.\n\nExample: effect-translate write rephrase "thx for the mail" --style business',
      rephrase,
      () => import("../handlers/write/rephrase.js")
    ),
    Command.make(
      "correct",
      "Corrects spelling and grammar, with as few changes as possible.\n\nExample: effect-translate write correct < letter.txt > corrected.txt",
      correct,
      () => import("../handlers/write/correct.js")
    )
  ])
)
