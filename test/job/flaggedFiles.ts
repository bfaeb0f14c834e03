/** Files of five kinds with a text whose translation looks wrong. */
import { Csv } from "effect-translate"
import { Json, JsonLines, Markdown, Po, Xliff } from "effect-translate/formats"
import type { JobSource } from "effect-translate/jobs"

export const wrong = "Please confirm your address."
export const refusal = "Als KI-Sprachmodell kann ich diese Anfrage leider nicht bearbeiten."
export const right = "Bitte bestätigen Sie Ihre Adresse."

/** The translations of the service. */
export const answers: Readonly<Record<string, string>> = {
  [wrong]: refusal,
  "The door is closed.": "Die Tür ist geschlossen.",
  "The gate is open.": "Das Tor ist offen."
}

const xliff = (texts: ReadonlyArray<string>) =>
  `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" target-language="de" datatype="plaintext"><body>${texts
    .map((text, index) => `<trans-unit id="${index}"><source>${text}</source></trans-unit>`)
    .join("\n")}</body></file></xliff>`

export interface Kind {
  readonly format: JobSource.FileOptions["format"]
  readonly write: (texts: ReadonlyArray<string>) => string
}

/** A string catalogue. */
export const xcstrings = (texts: ReadonlyArray<string>): string =>
  JSON.stringify({
    sourceLanguage: "en",
    strings: Object.fromEntries(texts.map((text) => [text, {}])),
    version: "1.0"
  })

/** The first three are written each in its way, as a whole, by rows and by sections. */
export const kinds: Readonly<Record<string, Kind>> = {
  "a.json": {
    format: Json.format,
    write: (texts) => JSON.stringify(Object.fromEntries(texts.map((text, index) => [`k${index}`, text])))
  },
  "a.csv": {
    format: Csv.make({ columns: ["title"] }),
    write: (texts) => `title\n${texts.map((text) => `${text}\n`).join("")}`
  },
  "a.md": { format: Markdown.format, write: (texts) => texts.map((text) => `${text}\n`).join("\n") },
  "a.po": {
    format: Po.format,
    write: (texts) =>
      `msgid ""\nmsgstr "Language: de\\n"\n${texts.map((text) => `\nmsgid "${text}"\nmsgstr ""\n`).join("")}`
  },
  "a.xlf": { format: Xliff.format, write: xliff },
  "a.jsonl": {
    format: JsonLines.make({ select: ["title"] }),
    write: (texts) => texts.map((title) => `${JSON.stringify({ title })}\n`).join("")
  }
}
