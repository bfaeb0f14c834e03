import type { Format } from "../../format/Format.js"
import type * as FileTranslation from "../FileTranslation.js"
import type { Found } from "./outputFiles.js"

/** A file whose format and outputs are known. */
export interface Opened {
  readonly format: Format
  readonly file: Pick<FileTranslation.Options, "maxFileBytes" | "units" | "useContext"> & {
    readonly file: string
  }
  readonly existing: "keep" | "overwrite"
  readonly failed: "previous" | "source" | "empty" | undefined
  readonly removed: "keep" | "drop" | undefined
  readonly found: ReadonlyArray<Found>
}
