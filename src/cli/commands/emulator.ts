/** Options of the emulator. */
import * as Options from "@effect/cli/Options"
import * as Command from "../command.js"

/** Faults by name; a status is one too. */
export const faultNames = [
  "cut",
  "cut-after",
  "cut-mid-body",
  "short-answer",
  "long-answer",
  "garbage"
] as const

const described = <A>(option: Options.Options<A>, what: string, description: string) =>
  option.pipe(Options.withPseudoName(what), Options.withDescription(description))

const number = (name: string, description: string, what = "number") =>
  Command.optional(described(Command.whole(name), what, description))

const word = (name: string, what: string, description: string) =>
  Command.optional(described(Options.text(name), what, description))

const words = (name: string, what: string, description: string) =>
  Options.repeated(described(Options.text(name), what, description))

const config = {
  port: described(
    Command.whole("port", { max: 65_535 }),
    "number",
    "The port on 127.0.0.1; 0 is a free one."
  ).pipe(Options.withDefault(8080)),
  key: words("key", "key", "A key that it accepts. Without it: emulator-key."),
  adminKey: words("admin-key", "key", "An admin key. All keys are of one account then."),
  scheme: word(
    "scheme",
    "word",
    "The word before the key in the Authorization header. Without it: Service-Auth-Key."
  ),
  state: word("state", "file", "Keeps keys, usage, glossaries and style rules in this file."),
  faults: Command.optional(
    described(
      Options.text("faults"),
      "file",
      "Faults and limits from a JSON file; flags come before it."
    ).pipe(Options.withAlias("rules"))
  ),
  fault: words(
    "fault",
    "what=share",
    `A fault for a share of the requests, from 0 to 1, such as 503=0.01: ${faultNames.join(", ")}, or a status.`
  ),
  poison: words("poison", "marker", "400 for requests with a text that contains the marker."),
  characterLimit: number("character-limit", "The most characters for each account in a month."),
  maxConcurrent: number("max-concurrent", "The most requests at once."),
  requestsPerSecond: number("requests-per-second", "The most requests per second."),
  maxBodyBytes: number(
    "max-body-bytes",
    "The most bytes of a body without a limit of its own. Without it: 100000000."
  ),
  maxDocumentBytes: number("max-document-bytes", "The most bytes of a document. Without it: 500000000."),
  maxWaiting: number("max-waiting", "The most documents of a key that wait for their download."),
  latency: number("latency", "How long each request takes.", "milliseconds"),
  queueTime: number("queue-time", "How long each document is queued.", "milliseconds"),
  translationTime: number(
    "translation-time",
    "How long each document is translated after that.",
    "milliseconds"
  ),
  allowUnknown: Options.boolean("allow-unknown").pipe(
    Options.withDescription("Take languages, styles and translation memories that it does not know.")
  ),
  instructionAnswer: Command.optional(
    Options.choice("instruction-answer", ["list", "instruction"]).pipe(
      Options.withDescription("What a new custom instruction is answered with. Without it: list.")
    )
  )
}

export type Input = Command.Input<typeof config>

export const emulator = Command.make(
  "emulator",
  "Serves the Language Service on this machine, with its limits and, if you like, its faults. Nothing leaves the machine, nothing costs. Ctrl-C stops it.\n\nExample: effect-translate emulator --port 8080 --fault 503=0.01",
  config,
  () => import("../handlers/emulator.js")
)
