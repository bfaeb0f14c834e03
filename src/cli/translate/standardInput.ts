/** Standard input as a source, and standard output for its translation. */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as Stream from "effect/Stream"
import type * as Format from "../../format/Format.js"
import * as JobSource from "../../job/JobSource.js"
import * as files from "../namedFiles.js"

/** The source of a job. */
export const make = (
  format: Format.Format,
  failed: "source" | "empty" | "drop" | undefined,
  maxFileBytes: number | undefined
) =>
  JobSource.bytes({
    name: "standard input",
    bytes: files.standardInput,
    format,
    failed,
    maxFileBytes,
    write: () => (bytes) => Stream.run(bytes, NodeSink.stdout)
  })
