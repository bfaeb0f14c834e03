/** Files that are read at any place. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ColumnarFile, ColumnarFormat } from "../../format/Columnar.js"
import type * as Format from "../../format/Format.js"
import { cachedSuccess } from "../../internal/cachedSuccess.js"
import * as Address from "../../storage/Address.js"
import { SourceChanged } from "../FileSourceError.js"
import type { NamedLanguage } from "./contract.js"
import * as fileReading from "./fileReading.js"

/** The file to read, and its options. */
export interface Source {
  readonly options: Pick<
    fileReading.FileOptions,
    "failed" | "maxFileBytes" | "path" | "useContext" | "version"
  >
  readonly format: ColumnarFormat
}

export type ReadError = Effect.Effect.Error<fileReading.OpenedFile["check"]>

export type OwnFile = ColumnarFile<ReadError, never>

/** The bytes at the end of a file that are read first: its footer as a rule, and all of a small file. */
const tailBytes = 65_536

/** Opens a file, of which all bytes must be there that it says are there. */
export const open = ({ path, version }: Source["options"]) =>
  Effect.map(fileReading.openAt(path, version), (file): fileReading.OpenedFile => {
    const read = (start: number, end: number) =>
      Effect.filterOrFail(
        file.read(start, end),
        ({ length }) => length === end - start,
        () => new SourceChanged({ path: Address.shown(path) })
      )
    const tailStart = Math.max(0, file.size - tailBytes)
    const tail = cachedSuccess(read(tailStart, file.size))
    return {
      ...file,
      read: (start, end) =>
        start < tailStart
          ? read(start, end)
          : Effect.map(tail, (bytes) => bytes.subarray(start - tailStart, end - tailStart)),
      bytes: tailStart === 0 ? Stream.fromEffect(tail) : file.bytes
    }
  })

export const openFor = (
  { format, options }: Source,
  file: fileReading.OpenedFile,
  targets: ReadonlyArray<NamedLanguage>,
  isOneOfSeveral = true
): Effect.Effect<OwnFile, ReadError | Format.FormatError> =>
  format.columnar.open(file, {
    file: Address.shown(options.path),
    isOneOfSeveral,
    targets: targets.map(({ lang }) => lang)
  })

/** All parts, row group by row group, or those of some row groups. */
export const partsOf = (columnar: OwnFile, from = 0, end = columnar.groups.length) =>
  Stream.flatMap(Stream.fromIterable(Array.from(columnar.groups.keys()).slice(from, end)), (group) =>
    columnar.parts(group)
  )
