/**
 * Versions of a project's glossary. A version never changes, so that runs with other terms do not share it. Its name holds the project, a hash
 * of its terms, and the end of its lease: the account is all that runs on different machines have in common. A run takes a version whose
 * lease has not ended, and deletes one whose lease has ended some time ago: so none is deleted that another run is about to take.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { Glossary } from "../../api/Glossary.js"
import type * as Violation from "../../api/Violation.js"
import { canonicalJson, shortHash } from "../../internal/hash.js"
import { type Dictionary, keyOf } from "./glossaryChanges.js"

/** The project, and the lease that a version gets. */
export interface Versioned {
  readonly project: string
  readonly label?: string | undefined
  readonly lease?: Duration.DurationInput | undefined
  readonly dictionaries: ReadonlyArray<Dictionary>
}

/** The time between the end of a lease and the first deletion: clocks of machines differ. */
const margin = Duration.hours(1)

/** The name of a version, as it is read. */
const pattern = /\(effect-translate project ([\w-]+), terms ([\da-f]{16}), kept until (\S+)\)$/

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const hashOf = (dictionaries: ReadonlyArray<Dictionary>): string =>
  shortHash(
    canonicalJson(
      dictionaries
        .map((dictionary) => [
          keyOf(dictionary),
          dictionary.entries
            .map(({ source, target }) => [source, target] as const)
            .sort(([one], [other]) => compare(one, other))
        ])
        .sort(([one], [other]) => compare(one as string, other as string))
    )
  )

/** The end of a lease that begins now, to the minute. */
const endOf = (lease: Duration.DurationInput, now: DateTime.Utc): string =>
  DateTime.formatIso(DateTime.addDuration(now, lease)).replace(/:\d\d\.\d+Z$/, "Z")

/** The name of a version whose lease begins now. */
export const nameOf = (
  { dictionaries, label = "glossary", lease = "1 day", project }: Versioned,
  now: DateTime.Utc
): string =>
  `${label} (effect-translate project ${project}, terms ${hashOf(dictionaries)}, kept until ${endOf(lease, now)})`

const versionOf = (glossary: Glossary, project: string) => {
  const [, own, terms, time = ""] = pattern.exec(glossary.name) ?? []
  const until = Date.parse(time)
  return own === project && !Number.isNaN(until) ? { glossary, terms, until } : undefined
}

/** The name of a version with a lease that begins now, if it is to have another name: half of its lease is over. Nothing if it is no version. */
export const extended = (
  { name }: Pick<Glossary, "name">,
  lease: Duration.DurationInput,
  now: DateTime.Utc
): { readonly name: string | undefined } | undefined => {
  const [, , , time = ""] = pattern.exec(name) ?? []
  const until = Date.parse(time)
  if (Number.isNaN(until)) return undefined
  const isLong = until - now.epochMillis >= Duration.toMillis(lease) / 2
  return { name: isLong ? undefined : name.replace(time, endOf(lease, now)) }
}

/** A version that can be used, its name from now on, and those whose leases have ended. */
export const find = (all: ReadonlyArray<Glossary>, options: Versioned, now: DateTime.Utc) => {
  const { dictionaries, lease = "1 day", project } = options
  const time = now.epochMillis
  const versions = all.flatMap((glossary) => versionOf(glossary, project) ?? [])
  const terms = hashOf(dictionaries)
  const [usable] = versions
    .filter((version) => version.terms === terms && version.until > time)
    .sort((one, other) => other.until - one.until)
  const isLong = usable !== undefined && usable.until - time >= Duration.toMillis(lease) / 2
  return {
    found: usable?.glossary,
    name: isLong ? usable.glossary.name : nameOf(options, now),
    ended: versions
      .filter(({ until }) => until + Duration.toMillis(margin) < time)
      .map(({ glossary }) => glossary.glossaryId)
  }
}

/** The problem with the identity of a project. */
export const violationsOf = ({ project }: Versioned): ReadonlyArray<Violation.Violation> =>
  /^[\w-]{8,64}$/.test(project)
    ? []
    : [
        {
          field: "project",
          rule: "is no identity: give 8 to 64 letters and digits that no other project has"
        }
      ]
