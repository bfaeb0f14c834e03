/** Files that folders and patterns hold, or that were named, and that a command leaves out: which, and why. */
import { extname } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import { Output } from "../output.js"
import { count } from "../textTable.js"

/** The words for one and for several. Those that ask for a person are first. */
const words = {
  language: [
    "name that ends in a language, without its source",
    "names that end in a language, without their sources"
  ],
  orphan: [
    "translation made here, whose source was not found",
    "translations made here, whose sources were not found"
  ],
  output: ["output of another file", "outputs of other files"],
  brokenLink: ["link that leads nowhere", "links that lead nowhere"],
  unreadable: ["folder that can't be read", "folders that can't be read"],
  hidden: ["hidden", "hidden"],
  unknownEnding: ["of an unknown ending", "of unknown endings"],
  document: [
    "document, for effect-translate document translate",
    "documents, for effect-translate document translate"
  ],
  toolFile: ["file of a tool", "files of tools"],
  gitIgnored: ["folder that git ignores", "folders that git ignores"],
  packages: ["folder of packages", "folders of packages"],
  special: ["that is no file", "that are no files"],
  sameFile: ["other path of a file", "other paths of files"],
  excluded: ["excluded by !", "excluded by !"],
  translation: ["translation", "translations"]
} as const

export type Reason = keyof typeof words

export interface LeftOut {
  /** As it is shown; of a folder with a slash at its end. */
  readonly path: string
  readonly reason: Reason
}

/** Translations whose sources are there are where they belong: nothing lacks without them. */
const isMissed = ({ reason }: LeftOut): boolean => reason !== "translation"

/** The most that a line names. */
const most = 5

const namesOf = (reason: Reason, all: ReadonlyArray<LeftOut>): string => {
  const names =
    reason === "unknownEnding" ? all.map(({ path }) => extname(path) || path) : all.map(({ path }) => path)
  const each = Arr.dedupe(names)
  return [...each.slice(0, most), ...(each.length > most ? ["…"] : [])].join(", ")
}

/** The reasons that do not apply to files which are named themselves. */
const byName: ReadonlySet<Reason> = new Set(["language", "hidden", "unknownEnding", "toolFile", "gitIgnored"])

/** A line that counts the files left out, with the reasons; nothing if there are none. */
export const line = (all: ReadonlyArray<LeftOut>): string | undefined => {
  const missed = all.filter(isMissed)
  if (missed.length === 0) return undefined
  const parts = Record.keys(words).flatMap((reason) => {
    const those = missed.filter((one) => one.reason === reason)
    const [one, several] = words[reason]
    return those.length === 0
      ? []
      : [`${count(those.length)} ${those.length === 1 ? one : several} (${namesOf(reason, those)})`]
  })
  const advice = missed.some(({ reason }) => byName.has(reason))
    ? " A file that is named itself is taken."
    : ""
  return `${count(missed.length)} left out: ${parts.join("; ")}.${advice}`
}

/** Counts by reason, for the last object of `--json`. */
export const counts = (all: ReadonlyArray<LeftOut>): Partial<Record<Reason, number>> =>
  Record.map(
    Arr.groupBy(all.filter(isMissed), ({ reason }) => reason),
    ({ length }) => length
  )

/** Names each: as an object of `--json`, and as a line of `--verbose`. */
export const tell = (all: ReadonlyArray<LeftOut>): Effect.Effect<void, never, Output> =>
  Effect.flatMap(Output, ({ detail, event }) =>
    Effect.forEach(
      all,
      ({ path, reason }) =>
        Effect.zipRight(
          event({ type: "leftOut", path, reason }),
          detail(`${path} is left out: ${words[reason][0]}.`)
        ),
      { discard: true }
    )
  )
