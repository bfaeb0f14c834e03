/** The settings of formats: the parts of a file that are translated, and the way it is read. */
import { encodings } from "../../internal/encodings.js"
import { choice, repeated, setting, text, whole } from "../commandLine/declare.js"

export const formats = {
  columns: setting(
    repeated(
      text("--column <name>", "A column of CSV and Parquet files to translate, as the file names it.")
    ),
    "EFFECT_TRANSLATE_COLUMNS"
  ),
  keys: setting(
    repeated(
      text(
        "--key <column>",
        "The identity of a row: a column of CSV and Parquet files, a path of JSON Lines, by which corrections in an output are found again, or a column of a query or table."
      )
    ),
    "EFFECT_TRANSLATE_KEYS"
  ),
  outputColumn: setting(
    text(
      "--output-column <pattern>",
      "The name of a new column of Parquet files. Without it: {column}_{lang}."
    ),
    "EFFECT_TRANSLATE_OUTPUT_COLUMN"
  ),
  fields: setting(
    repeated(
      text(
        "--field <path>",
        'What to translate of JSON, JSON Lines and YAML files, such as "messages[*].content".'
      )
    ),
    "EFFECT_TRANSLATE_FIELDS"
  ),
  onBadLine: setting(
    choice(
      "--on-bad-line",
      ["fail", "skip"],
      "How to treat a line of JSON Lines that is not JSON, and a record of CSV with other fields than the header or with wrong quotes: fail ends the file (the default), skip leaves it as it is and lists it."
    ),
    "EFFECT_TRANSLATE_ON_BAD_LINE"
  ),
  encoding: setting(
    choice(
      "--encoding",
      encodings,
      "The encoding of CSV files. Without it: UTF-16 where a file begins with the mark of that, or else UTF-8."
    ),
    "EFFECT_TRANSLATE_ENCODING"
  ),
  plurals: setting(
    choice(
      "--plurals",
      ["laravel", "vue-i18n"],
      'The framework whose plural forms stand between bars in JSON files: "car | cars". Without it: the one that other texts of a file show.'
    ),
    "EFFECT_TRANSLATE_PLURALS"
  ),
  maxFileBytes: setting(
    whole(
      "--max-file-bytes <number>",
      "The largest file that is read as a whole, of formats that do not stream: it takes up to a hundred times its size in memory. Without it: 16777216, which is 16 MiB.",
      { min: 1 }
    ),
    "EFFECT_TRANSLATE_MAX_FILE_BYTES"
  )
} as const
