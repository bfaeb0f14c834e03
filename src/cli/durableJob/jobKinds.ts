/** The kinds of corpora that jobs may translate: files, tables, or those that the operator allows. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as TableSource from "../../table/TableSource.js"
import type * as Corpus from "../../workflow/Corpus.js"
import * as FileCorpus from "../../workflow/FileCorpus.js"
import * as TableCorpus from "../../workflow/TableCorpus.js"
import type { Worker } from "../settings/declarations.js"

export type Kind = Corpus.Kind<
  FileCorpus.Error | TableSource.Failure,
  FileCorpus.Context | TableCorpus.Context
>

/** The kinds that the settings allow. A setting that allows some kinds forbids all others. */
export const of = ({
  folders,
  sources,
  tables
}: Pick<Worker, "folders" | "sources" | "tables">): Effect.Effect<ReadonlyArray<Kind>, never, Path.Path> =>
  Effect.map(Path.Path, ({ resolve }): ReadonlyArray<Kind> => {
    if (folders === undefined && tables === undefined)
      return [FileCorpus.makeKind({ sources }), TableCorpus.kind]
    return [
      ...(folders === undefined
        ? []
        : [FileCorpus.makeKind({ folders: folders.map((folder) => resolve(folder)), sources })]),
      ...(tables === undefined ? [] : [TableCorpus.makeKind({ allow: tables })])
    ]
  })
