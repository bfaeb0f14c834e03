/** The parts of an account: glossaries, style rules, translation memories, keys and usage. */
import {
  argument,
  atLeastOne,
  choice,
  command,
  flag,
  group,
  repeated,
  required,
  text,
  whole,
  withDefault
} from "../commandLine/declare.js"
import { yes } from "../settings/declarations.js"

export const usage = command("The usage of the key in this period, with its limits.", {})

export const analytics = command(
  "The usage of the account. Needs an admin key: LANGUAGE_SERVICE_ADMIN_KEY.",
  {
    from: text(
      "--from <date>",
      "The first day, such as 2026-05-01, in UTC. Without it: 30 days before the last one."
    ),
    to: text("--to <date>", "The last day. Without it: today."),
    by: choice(
      "--by",
      ["key", "day", "tag"],
      "A row for each key, each key and day, or each custom tag. Without it: the total."
    ),
    csv: flag("--csv", "Print CSV.")
  },
  "effect-translate analytics --from 2026-05-01 --to 2026-05-31 --by key"
)

const glossaryName = argument("glossary", "Its id or its name.")

const dictionary = (description: string) => text("--dictionary <from:to>", description)

export const glossary = group("Glossaries: how phrases are translated.", {
  list: command("All glossaries of the account.", {}, "effect-translate glossary list"),
  show: command(
    "The dictionaries of a glossary.",
    { glossary: glossaryName },
    "effect-translate glossary show Shop"
  ),
  sync: command(
    "Makes a glossary equal to files, in the fewest calls.",
    {
      name: argument("name", "The name of the glossary. It is created if there is none."),
      files: atLeastOne(
        argument(
          "file",
          "A dictionary: CSV or TSV without a header. Its name ends with its languages, as terms.en-de.csv does."
        )
      ),
      dictionary: dictionary("The languages of files whose names do not say them, such as en:de."),
      id: text(
        "--id <text>",
        "The id of the glossary, which gets the name: if there are several of that name, or to rename it."
      ),
      delete: flag(
        "--delete",
        "Delete the dictionaries of the glossary that no file is for. Without it, they stay."
      ),
      dryRun: flag("--dry-run", "Only print the changes.")
    },
    "effect-translate glossary sync Shop terms/en-de.csv terms/en-fr.csv --dry-run"
  ),
  export: command(
    "Writes the entries of a glossary into files.",
    {
      glossary: glossaryName,
      dictionary: dictionary("The dictionary, such as en:de. Not needed if there is only one."),
      format: choice("--format", ["csv", "tsv"], "The format. Without it: by the name of --out, or csv."),
      out: withDefault(
        text(
          "--out <file>",
          "The file to write, or a folder for a file of each dictionary, which sync reads. Without it: standard output."
        ),
        "-"
      )
    },
    "effect-translate glossary export Shop --out terms/"
  ),
  delete: command(
    "Deletes glossaries, or a dictionary of them, for good.",
    {
      glossaries: atLeastOne(glossaryName),
      dictionary: dictionary("Delete only this dictionary, such as en:de."),
      yes
    },
    "effect-translate glossary delete Shop --dictionary en:fr"
  )
})

const styleName = argument("style", "Its id or its name.")

const rules = text(
  "--rules <file>",
  'Predefined rules as JSON, such as {"punctuation": {"apostrophe": "use_curly_apostrophes"}}. - is standard input.'
)

const instructions = repeated(
  text(
    "--instruction <label=text>",
    "An instruction in your own words, such as 'Tone=Stay dry.' More than one may be given."
  )
)

const from = text(
  "--from <language>",
  "The language of the texts that the instructions are for. Without it: any."
)

export const style = group("Style rule lists: how translations into a language should read.", {
  list: command("All style rule lists of the account.", {}, "effect-translate style list"),
  show: command(
    "The rules and instructions of a list.",
    { style: styleName },
    "effect-translate style show Catalogue"
  ),
  create: command(
    "Creates a list, and prints its id.",
    {
      name: argument("name", "The name of the list."),
      to: required(text("--to <language>", "The language of the translations that it is for, such as de.")),
      rules,
      instructions,
      from
    },
    "effect-translate style create Catalogue --to de --instruction 'Tone=Stay dry.'"
  ),
  update: command(
    "Changes a list: its name, all of its rules, and instructions by their labels.",
    {
      style: styleName,
      name: text("--name <text>", "Its new name."),
      rules,
      instructions,
      from,
      remove: repeated(
        text("--remove <label>", "An instruction to remove, by its label. More than one may be given.")
      )
    },
    "effect-translate style update Catalogue --instruction 'Tone=Be cheerful.' --remove Names"
  ),
  delete: command(
    "Deletes lists for good.",
    { styles: atLeastOne(styleName), yes },
    "effect-translate style delete Catalogue"
  )
})

const memoryName = argument("translation-memory", "Its id or its name.")

export const translationMemory = group(
  "Translation memories of the service: segments that it translates as they are there.",
  {
    list: command("All translation memories of the account.", {}, "effect-translate translation-memory list"),
    show: command(
      "The segments of a translation memory.",
      {
        translationMemory: memoryName,
        text: text("--text <text>", "Only segments with this text, of 2 characters at least."),
        caseSensitive: flag("--case-sensitive", "Capitals matter in --text."),
        limit: withDefault(whole("--limit <number>", "The largest number of segments.", { min: 1 }), 100)
      },
      "effect-translate translation-memory show Shop --text mug"
    ),
    import: command(
      "Makes a translation memory of a TMX file.",
      {
        file: argument("file", "The TMX file."),
        name: text("--name <text>", "The name of the memory. Without it: the name of the file.")
      },
      "effect-translate translation-memory import shop.tmx --name Shop"
    ),
    export: command(
      "Writes a translation memory into a TMX file.",
      {
        translationMemory: memoryName,
        out: withDefault(text("--out <file>", "The file to write. Without it: standard output."), "-")
      },
      "effect-translate translation-memory export Shop --out shop.tmx"
    ),
    delete: command(
      "Deletes translation memories for good.",
      { translationMemories: atLeastOne(memoryName), yes },
      "effect-translate translation-memory delete Shop"
    )
  }
)

const key = argument("key", "Its label, or its short form in list, such as dc88****3a2c.")

const limit = (name: string, unit: string) =>
  text(`--${name} <number>`, `How many ${unit} a month it may use. 0 blocks it; none lifts the limit.`)

export const keys = group("The API keys of the account. Needs an admin key: LANGUAGE_SERVICE_ADMIN_KEY.", {
  list: command(
    "All keys of the account, active and deactivated. The keys themselves are not shown.",
    {},
    "effect-translate keys list"
  ),
  create: command(
    "Creates a key, which works at once, and prints it.",
    {
      label: argument("label", "The name of the key."),
      out: text(
        "--out <file>",
        "A new file for the key, which only you can read. Without it: standard output."
      )
    },
    "effect-translate keys create Catalogue --out catalogue.key"
  ),
  label: command(
    "Gives a key another label.",
    { key, label: argument("label", "Its new label.") },
    "effect-translate keys label Catalogue 'Catalogue team'"
  ),
  limit: command(
    "Sets how much a key may use in a month.",
    {
      key,
      characters: limit("characters", "characters"),
      speech: limit("speech", "milliseconds of speech")
    },
    "effect-translate keys limit Catalogue --characters 500000"
  ),
  deactivate: command(
    "Deactivates keys at once and for good.",
    { keys: atLeastOne(key), yes },
    "effect-translate keys deactivate Catalogue"
  )
})
