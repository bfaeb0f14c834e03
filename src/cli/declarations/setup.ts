/** Settings, and a service on this machine to try them with. */
import * as Record from "effect/Record"
import * as ServiceKind from "../../api/ServiceKind.js"
import { choice, command, flag, repeated, text, whole, withDefault } from "../commandLine/declare.js"
import { service } from "../settings/serviceDeclarations.js"

export const init = command(
  "Asks for the settings and writes them to effect-translate.config.json. Without a terminal, options answer.",
  {
    url: service.url,
    kind: service.kind,
    keyFile: service.keyFile,
    keyVariable: service.keyVariable,
    files: repeated(text("--files <pattern>", "Files to translate.")),
    from: text("--from <language>", "The language of the files."),
    to: text("--to <languages>", "The languages to translate to, such as de,fr."),
    out: text("--out <pattern>", "Where translations go, such as locales/{lang}.json.")
  },
  "effect-translate init --url http://127.0.0.1:8080 --to de,fr"
)

export const doctor = command(
  "Checks the settings, the service, its keys and the store, and gives advice. It shows no key, and costs nothing.",
  {}
)

/** Faults by name; a status is one too. */
export const faultNames = [
  "cut",
  "cut-after",
  "cut-mid-body",
  "short-answer",
  "long-answer",
  "garbage"
] as const

const count = (name: string, description: string, unit = "number") =>
  whole(`--${name} <${unit}>`, description, { min: 0 })

export const emulator = command(
  "Serves the Language Service on this machine, with its limits and, if you like, its faults. Nothing leaves the machine, nothing costs. Ctrl-C stops it.",
  {
    port: withDefault(
      whole("--port <number>", "The port on 127.0.0.1; 0 is a free one.", { max: 65_535 }),
      8080
    ),
    key: repeated(
      text("--key <key>", "A key that it accepts. Without it: those of the file of rules, or emulator-key.")
    ),
    adminKey: repeated(text("--admin-key <key>", "An admin key of the account of the other keys.")),
    kind: choice(
      "--kind",
      Record.keys(ServiceKind.kinds),
      "The kind of service that it plays, with its inputs, bills and answers. Without it: specification."
    ),
    scheme: text(
      "--scheme <word>",
      "The word before the key in the Authorization header. Without it: that of the kind, such as Service-Auth-Key."
    ),
    state: text("--state <file>", "Keeps keys, usage, glossaries and style rules in this file."),
    faults: text("--faults, --rules <file>", "Faults and limits from a JSON file; flags come before it."),
    fault: repeated(
      text(
        "--fault <what=share>",
        `A fault for a share of the requests, from 0 to 1, such as 503=0.01: ${faultNames.join(", ")}, or a status.`
      )
    ),
    poison: repeated(text("--poison <marker>", "400 for requests with a text that contains the marker.")),
    characterLimit: count("character-limit", "The most characters for each account in a month."),
    maxConcurrent: count("max-concurrent", "The most requests at once."),
    requestsPerSecond: count("requests-per-second", "The most requests per second."),
    maxBodyBytes: count(
      "max-body-bytes",
      "The most bytes of a body without a limit of its own. Without it: 100000000."
    ),
    maxDocumentBytes: count("max-document-bytes", "The most bytes of a document. Without it: 500000000."),
    maxWaiting: count("max-waiting", "The most documents of a key that wait for their download."),
    latency: count("latency", "The duration of each request.", "milliseconds"),
    queueTime: count("queue-time", "The time for which each document is queued.", "milliseconds"),
    translationTime: count(
      "translation-time",
      "The time for which each document is translated after that.",
      "milliseconds"
    ),
    allowUnknown: flag(
      "--allow-unknown",
      "Take languages, styles, translation memories and parameters that it does not know, and latency_optimized together with whatever."
    ),
    rough: flag(
      "--rough",
      "Change letters in placeholders and tags too, where the request does not say that they are markup."
    ),
    instructionAnswer: choice(
      "--instruction-answer",
      ["list", "instruction"],
      "The answer to a new custom instruction. Without it: as the kind of service does it."
    )
  },
  "effect-translate emulator --port 8080 --fault 503=0.01"
)
