/** Which call sites the jobs reach, and why they do not reach the others. */
import type { CallSite } from "./callSites.js"
import type { subjects } from "./subjects.js"

const unreached: ReadonlyArray<readonly [pattern: RegExp, why: string]> = [
  [/^src\/cli\//, "the command line: each of its commands has files of its own"],
  [/^src\/workflow\//, "durable jobs: `scripts/durable.ts faults` disturbs those"],
  [/^src\/emulator\//, "the emulator"],
  [/^src\/glossary\//, "dictionaries of glossaries"],
  [/^src\/client (?!text:|documents:|languages: GET \/v3)/, "endpoints that these jobs do not call"],
  [/^src\/job\/internal\/fileReading.ts openRemote/, "addresses"],
  [/^src\/job\/internal\/diskLists.ts/, "outputs of rows that a person has corrected"],
  [/^src\/storage\//, "addresses: `test/storage` disturbs those"],
  [/^src\/internal\/files.ts realPath: readLink/, "a journal that is not there"],
  [
    /^src\/job\/internal\/(recordFiles.ts (sourceOf|removeIfTaken)|orphanedOutputs.ts)/,
    "what a folder of states remembers"
  ],
  [/^src\/store\/internal\/memory(Journal|Push).ts/, "pushes of translation memories"],
  [/^src\/stream\/FailedUnits.ts keptLines/, "what stays of the list of an earlier job"],
  [/^src\/sql\/.* (backup|isSameFile|salvage|replace):/, "copies of a store"],
  [
    /^src\/sql\/internal\/(origins.ts|keyIndex.ts findByHalves)/,
    "texts of outputs of which the store is asked who has written them"
  ],
  [/^src\/sql\/internal\/verdicts.ts (make|prune)/, "verdicts of checks that ask somebody"],
  [/^src\/sql\/internal\/(salvage|storedRows).ts/, "a damaged store"],
  [/^src\/sql\/internal\/(ledgerRetention|listings|upkeep|verification).ts/, "the upkeep of a store"],
  [
    /^src\/sql\/internal\/keyIndex.ts (removeKeys|removeNumbers)/,
    "translations that are sent again or removed"
  ],
  [
    /^src\/sql\/internal\/keyIndex.ts makeDeferred: (UPDATE sqlite_sequence|DELETE FROM effect_translate_keys)/,
    "translations that are sent again or removed"
  ],
  [/^src\/sql\/internal\/corrections.ts (?!make: SELECT revision)/, "corrections"],
  [
    /^src\/sql\/internal\/serviceFailures.ts record/,
    "texts that the service fails with alone, which is no fault of a socket"
  ],
  [/^src\/sql\/LibsqlClient.ts transactionsOf: (ROLLBACK TO )?SAVEPOINT/, "transactions within others"],
  [/^src\/sql\/(SqlTables.ts postgres|PgClient.ts )/, "PostgreSQL"],
  [
    /^src\/sql\/internal\/(claimLedger.ts (functions|claimAll)|database.ts make|schema.ts prepare|translations.ts (record|insertionOfJson))/,
    "PostgreSQL"
  ],
  [/^src\/sql\/internal\/dialect.ts sqlite: WITH listed/, "no statement, but what stands around others"]
]

/**
 * What is called now and then: the signs of life of a lock, and a lease that is renewed, in runs that take seconds; a claim of what another
 * one has lost; and what looks for a repetition whose commit has lost its answer. A translation that another one has overtaken is removed
 * after faults in the middle of a run only.
 */
const occasional =
  /keyIndex.ts makeDeferred: DELETE FROM effect_translate_translations|fileLock.ts (touchedAt|acquire: utimes)|SqlLease.ts renew|claimOwner.ts (renewed|abandon)|claimLedger.ts (reduce|repeatOnce: SELECT)/

/** A call site by its place and its name, without its line. */
const called = ({ file, name }: CallSite) => `${file} ${name}`

/** Why no job reaches a call site; undefined if one does. */
export const whyUnreached = (site: CallSite): string | undefined =>
  unreached.find(([pattern]) => pattern.test(called(site)))?.[1]

/** Reasons that are none any more. */
export const stale = (sites: ReadonlyArray<CallSite>): ReadonlyArray<string> =>
  unreached.flatMap(([pattern]) =>
    sites.some((site) => pattern.test(called(site))) ? [] : [String(pattern)]
  )

const onlyDocuments =
  /^src\/(document\/|client\/DocumentSource|internal\/files.ts realPath)|^src\/client documents:/

const onlyTables = /files.ts readRange|fileReading.ts openLocal/

const onlyUpdates = /outputFiles.ts (read: readFile|draftFile: chmod)|recordFiles.ts (outputsIn|movedInto)/

/** The job that must reach a call site, if one must; others may. */
export const reachedBy = (site: CallSite): keyof typeof subjects | undefined =>
  whyUnreached(site) !== undefined || occasional.test(called(site))
    ? undefined
    : onlyDocuments.test(called(site))
      ? "documents, of which two are equal, and some have changed since they were translated"
      : onlyTables.test(called(site))
        ? "a Parquet file"
        : onlyUpdates.test(called(site))
          ? "a catalogue in JSON that has changed since it was translated"
          : "a CSV file"
