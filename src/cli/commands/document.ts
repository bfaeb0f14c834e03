import * as Args from "@effect/cli/Args"
import * as Cli from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { flow } from "effect/Function"
import * as Command from "../command.js"

const text = flow(Command.text, Command.optional)

const journal = Options.text("journal").pipe(
  Options.withPseudoName("file"),
  Options.withDescription(
    "The file that remembers each upload, and the keys of the documents: keep it to yourself."
  ),
  Options.withDefault(".effect-translate/documents.jsonl")
)

const translate = {
  files: Args.text({ name: "files" }).pipe(
    Args.withDescription(
      'Files, folders and patterns such as "offers/**/*.docx": docx, doc, pptx, xlsx, pdf, htm, html, txt, xlf, xliff, srt, jpeg, jpg, png.'
    ),
    Args.atLeast(1)
  ),
  to: Command.text("to", "de,fr", "The languages to translate into.").pipe(Options.repeated),
  from: text("from", "en", "The language of the files. Without it the service finds out."),
  out: text(
    "out",
    "pattern",
    "Where translations go: a folder, or a pattern with {lang}, {dir}, {name} and {ext}. Without it beside the files: offer.de.docx for offer.docx."
  ),
  outputFormat: text("output-format", "type", "Another type for the translations, such as docx for a pdf."),
  glossary: text("glossary", "id", "A glossary of the service. It needs --from."),
  style: text("style", "id", "A style rule list of the service."),
  formality: Command.formality,
  existing: Options.choice("existing", ["keep", "overwrite"]).pipe(
    Options.withDescription("What becomes of outputs that are there and come from elsewhere."),
    Options.withDefault("keep" as const)
  ),
  resubmit: Options.choice("resubmit", ["failed", "ambiguous", "lost"]).pipe(
    Options.withDescription(
      "What earlier runs have left and may be uploaded once more, which may be billed once more."
    ),
    Options.repeated
  ),
  budget: Command.optional(
    Command.whole("budget").pipe(
      Options.withPseudoName("characters"),
      Options.withDescription("Uploads nothing more once so many characters are billed.")
    )
  ),
  concurrency: Command.whole("concurrency", { min: 1 }).pipe(
    Options.withDescription("The most documents that are translated at the same time."),
    Options.withDefault(16)
  ),
  journal
}

const one = {
  id: text("id", "id", "One document by its id, in place of files."),
  keyFile: text(
    "key-file",
    "file",
    "The file that holds the key of that document; - is standard input. Without it LANGUAGE_SERVICE_DOCUMENT_KEY, or what the journal knows."
  ),
  journal
}

const known = Args.text({ name: "files" }).pipe(
  Args.withDescription("The files that were uploaded. Without them all that the journal knows."),
  Args.repeated
)

const status = { files: known, ...one }

const download = {
  files: known,
  ...one,
  out: text("out", "file", "Where the translation of --id goes, if the journal does not know it."),
  existing: translate.existing
}

export type TranslateInput = Command.Input<typeof translate>
export type StatusInput = Command.Input<typeof status>
export type DownloadInput = Command.Input<typeof download>
export type OneInput = Pick<StatusInput, keyof typeof one>

export const document = Cli.make("document").pipe(
  Cli.withDescription("Translates whole documents: docx, pptx, xlsx, pdf and others."),
  Cli.withSubcommands([
    Command.make(
      "translate",
      "Uploads documents, waits, and downloads the translations. Broken off, the same command goes on: nothing is uploaded twice.\n\nExample: effect-translate document translate offer.docx --to de,fr",
      translate,
      () => import("../handlers/document/translate.js")
    ),
    Command.make(
      "status",
      "What became of documents: what the journal knows, and what the service says.\n\nExample: effect-translate document status",
      status,
      () => import("../handlers/document/status.js")
    ),
    Command.make(
      "download",
      "Downloads the translations that are ready and not there yet. The service gives each out once.\n\nExample: effect-translate document download",
      download,
      () => import("../handlers/document/download.js")
    )
  ])
)
