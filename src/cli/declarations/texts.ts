/** Commands that translate and improve texts, and their options for the service. */
import type * as Language from "../../api/Language.js"
import {
  argument,
  atLeastOne,
  choice,
  command,
  described,
  flag,
  group,
  list,
  number,
  optional,
  repeated,
  text,
  whole,
  withDefault
} from "../commandLine/declare.js"
import * as settings from "../settings/declarations.js"
import { failOn } from "./outputs.js"

export const asText = flag(
  "--as-text",
  "Sends texts that hold syntax which is not understood. Without it: those of catalogues and documents are not sent and fail, those of rows are flagged."
)

export const strictSyntax = flag(
  "--strict-syntax",
  "Does not send texts of rows either that hold syntax which is not understood: they fail."
)

export const retryFailed = flag(
  "--retry-failed",
  "Sends texts again that have failed before: the service with them, or checks with their translations. They may be billed each time."
)

export const translate = command(
  "Translates files, and goes on where it was broken off: nothing is paid for twice.",
  {
    ...settings.translate,
    query: text(
      "--query <sql>",
      "In place of files: a SELECT of --database, of whose rows --column names the texts. By DuckDB it reads Parquet, CSV and JSON files too: FROM 'shop/*.parquet'."
    ),
    database: text(
      "--database <file|address>",
      "The file of DuckDB or SQLite that --query reads, and that gets the table of --output; or postgres://host/database. A file is made if it is missing: .duckdb or .sqlite says which."
    ),
    attach: repeated(
      text(
        "--attach <file>",
        "Another file of the same kind that --query reads, and nothing writes: the tables of shop.duckdb are shop.products and so on."
      )
    ),
    output: text(
      "--output <table>",
      "The table for the translations of --query, with a row for each language. It is made if it is missing; the next run translates new and changed rows."
    ),
    failedUnits: text(
      "--failed-units <file>",
      "Where texts that failed are listed, as JSON Lines. Without it: failed.jsonl beside the store."
    ),
    report: text(
      "--report <file.html>",
      "Also writes a page for a browser: every text with its translation, cost and outcome. It holds the texts."
    ),
    limit: whole("--limit <texts>", "A pilot: translates so many texts of each file into each language.", {
      min: 1
    }),
    refresh: flag("--refresh", "Pays once more for texts that are stored. Corrections of persons stay."),
    retryFailed,
    retryFlagged: flag(
      "--retry-flagged",
      "Asks once more for translations that look wrong to a check, tells the cost before, and keeps the better one. A person's stay."
    ),
    failOn,
    asText,
    strictSyntax,
    partial: flag("--partial", "Also writes outputs that are not whole, after an error or with --limit."),
    maxFailed: number(
      "--max-failed <share>",
      "Ends the job once a larger share of the texts has failed, from 0 to 1.",
      { max: 1 }
    ),
    concurrency: whole(
      "--concurrency <requests>",
      "The most requests at the same time for a file in a language. Without it: 8.",
      { min: 1 }
    ),
    dryRun: flag("--dry-run", "Forecasts requests and cost, and translates nothing."),
    watch: flag("--watch", "Translates again when files change, until Ctrl-C.")
  }
)

export type TranslateInput = settings.InputOf<typeof translate>

const journal = text(
  "--journal <file>",
  "The file that remembers each upload, and the keys of the documents: keep it to yourself. Without it: documents.jsonl in the state folder."
)

const existing = withDefault(
  choice(
    "--existing",
    ["keep", "overwrite"],
    "How to treat existing outputs of other programs: keep or overwrite them."
  ),
  "keep"
)

/** The document that the journal need not know. */
const one = {
  files: repeated(
    optional(argument("files", "The files that were uploaded. Without them all that the journal knows."))
  ),
  id: text("--id <id>", "One document by its id, in place of files."),
  keyFile: text(
    "--key-file <file>",
    "The file that holds the key of that document; - is standard input. Without it LANGUAGE_SERVICE_DOCUMENT_KEY, or the key in the journal."
  ),
  journal
}

export const document = group("Translates whole documents: docx, pptx, xlsx, pdf and others.", {
  translate: command(
    "Uploads documents, waits, and downloads the translations. Broken off, the same command goes on: nothing is uploaded twice.",
    {
      files: atLeastOne(
        argument(
          "files",
          'Files, folders and patterns such as "offers/**/*.docx"; "!offers/old/**" leaves some out. Types are docx, doc, pptx, xlsx, pdf, htm, html, txt, xlf, xliff, srt, jpeg, jpg, png; of the kind deepl also idml, xml, json, dita, mif, and whatever is named.'
        )
      ),
      to: list(text("--to <de,fr>", "The languages to translate into.")),
      from: text("--from <en>", "The language of the files. Without it the service finds out."),
      out: text(
        "--out <pattern>",
        "Where translations go: a folder, or a pattern with {lang}, {dir}, {name} and {ext}. Without it beside the files: offer.de.docx for offer.docx."
      ),
      outputFormat: text(
        "--output-format <type>",
        "Another type for the translations, such as docx for a pdf."
      ),
      glossary: text(
        "--glossary <id>",
        "A glossary of the service. It needs --from, unless the kind of service takes it without."
      ),
      style: text("--style <id>", "A style rule list of the service."),
      formality: settings.translate.formality,
      watermark: choice(
        "--watermark",
        ["on", "off"],
        "Marks the translation as one of a machine. Without it: as the service has it."
      ),
      parameters: described(
        settings.translate.parameters,
        "A parameter of the upload that the service has and this program does not know, under its name on the wire; the value as JSON, or a text.",
        "name=value"
      ),
      existing,
      resubmit: repeated(
        choice(
          "--resubmit",
          ["failed", "ambiguous", "lost"],
          "The uploads of earlier runs that may be repeated, which may bill them once more."
        )
      ),
      budget: whole("--budget <characters>", "Uploads nothing more once so many characters are billed.", {
        min: 0
      }),
      concurrency: withDefault(
        whole("--concurrency <number>", "The most documents that are translated at the same time.", {
          min: 1
        }),
        16
      ),
      journal
    },
    "effect-translate document translate offer.docx --to de,fr"
  ),
  status: command(
    "The status of documents, from the journal and the service.",
    one,
    "effect-translate document status"
  ),
  download: command(
    "Downloads the translations that are ready and not there yet. The service gives each out once.",
    {
      ...one,
      out: text("--out <file>", "Where the translation of --id goes, if the journal does not know it."),
      existing
    },
    "effect-translate document download"
  )
})

type DocumentCommands = (typeof document)["commands"]

/** The input of a command once its journal is known. */
type WithJournal<I> = Omit<I, "journal"> & { readonly journal: string }

export type DocumentTranslateInput = WithJournal<settings.InputOf<DocumentCommands["translate"]>>
export type DocumentStatusInput = WithJournal<settings.InputOf<DocumentCommands["status"]>>
export type DocumentDownloadInput = WithJournal<settings.InputOf<DocumentCommands["download"]>>

const correct = {
  text: optional(
    argument("text", "The text. Without it, or if it is -, standard input is read, or the file of --file.")
  ),
  file: text("--file <file>", "A file of UTF-8 text in place of the text."),
  lang: text(
    "--lang <code>",
    "The language of the text, such as en-GB: texts in another variant are converted to it. Without it the service finds out."
  ),
  paragraphs: flag(
    "--paragraphs",
    "Blank lines separate the texts of a file or of standard input: for prose whose lines are wrapped. Without it each line is a text."
  ),
  parameters: described(
    settings.translate.parameters,
    "A parameter of the request that the service has and this program does not know, under its name on the wire; the value as JSON, or a text.",
    "name=value"
  )
}

export const write = group("Improves texts in their own language.", {
  rephrase: command(
    "Rephrases texts: spelling, grammar and wording.",
    {
      ...correct,
      style: text("--style <style>", "The style: academic, business, casual or simple. Not with --tone."),
      tone: text(
        "--tone <tone>",
        "The tone: confident, diplomatic, enthusiastic or friendly. Not with --style."
      )
    },
    "effect-translate write rephrase 'thx for the mail' --style business"
  ),
  correct: command(
    "Corrects spelling and grammar, with as few changes as possible.",
    correct,
    "cat letter.txt | effect-translate write correct > corrected.txt"
  )
})

const store = described(
  settings.translate.store,
  "The store: a file, or postgres://user@host/database. Without it: that of the settings, or store.db in the state folder.",
  "file|url"
)

const format = choice(
  "--format",
  ["csv", "jsonl", "tmx"],
  "The format, if the name of the file does not say it."
)

export const memory = group(
  "The store of paid translations, where translate looks up texts before it sends them.",
  {
    stats: command(
      "The content of the store, and the characters that may have been paid twice.",
      { store },
      "effect-translate memory stats"
    ),
    verify: command(
      "Looks for damage in the store: its pages, texts, keys and ledger. Changes nothing. Ends with 1 if there is any.",
      { store },
      "effect-translate memory verify"
    ),
    salvage: command(
      "Saves the readable rows of a damaged store into a new file. Nobody may use the store meanwhile.",
      { file: argument("file", "The new store."), store },
      "effect-translate memory salvage saved.db --store store.db"
    ),
    export: command(
      "Writes all corrections and translations of the store into a file.",
      {
        file: withDefault(
          argument("file", "The file to write: .csv, .jsonl or .tmx. - is standard output."),
          "-"
        ),
        store,
        format,
        corrections: flag(
          "--corrections",
          "Only corrections of people, without the translations of the machine."
        )
      },
      "effect-translate memory export translations.tmx"
    ),
    import: command(
      "Adds files to the store: translations and corrections of people, and exports. A translation of the machine that was edited in an export is a correction.",
      {
        files: atLeastOne(
          argument(
            "file",
            "Files to read: .tmx, or .csv and .jsonl with the columns or fields source and translation. - is standard input."
          )
        ),
        store,
        format,
        from: text("--from <language>", "The language of the sources, if a file does not say it."),
        to: text(
          "--to <language>",
          "The language of the translations, if a file does not say it; of TMX, only that language is read."
        )
      },
      "effect-translate memory import corrected.csv --from en --to de"
    ),
    push: command(
      "Makes corrections matches of a translation memory of the service. It makes a new one of the old one and the corrections, which win. Broken off, the same command goes on.",
      {
        name: argument("name", "The name of the translation memory. It is made if there is none."),
        store,
        from: text(
          "--from <language>",
          "The language of the sources, if corrections are from several or do not say it."
        ),
        deleteOld: flag(
          "--delete-old",
          "Deletes the translation memory that the new one has taken the place of, once that is complete."
        )
      },
      "effect-translate memory push Shop --delete-old"
    ),
    pull: command(
      "Takes the segments of a translation memory of the service into the store, as corrections.",
      {
        translationMemory: argument("translation-memory", "Its id or its name."),
        store,
        existing: withDefault(
          choice(
            "--existing",
            ["keep", "overwrite"],
            "How to treat a correction in the store that differs from the translation memory."
          ),
          "keep"
        )
      },
      "effect-translate memory pull Shop"
    ),
    prune: command(
      "Removes old translations of the machine. They are paid for again when they are needed. Corrections stay.",
      {
        store,
        olderThan: text("--older-than <time>", "Remove older translations, such as 90d, 12h or 2w."),
        maxSize: text(
          "--max-size <size>",
          "Then remove the oldest until the texts take no more, such as 500MB or 2GB."
        ),
        yes: settings.yes
      },
      "effect-translate memory prune --older-than 1y --yes"
    )
  }
)

const resources = [
  "translate_text",
  "translate_document",
  "glossary",
  "voice",
  "write",
  "style_rules",
  "translation_memory"
] as const satisfies ReadonlyArray<Language.ResourceName>

export const languages = command(
  "Lists the languages of the service and their features: formality, glossaries, style rules and so on.",
  {
    resource: withDefault(
      choice("--resource", resources, "The part of the service that the languages are for."),
      "translate_text"
    ),
    pair: text(
      "--pair <source:target>",
      "Only print the features of a language pair, such as en:de; :de leaves the source to the service. Ends with 1 if the pair does not work."
    )
  },
  "effect-translate languages --pair en:de"
)
