/** Standard input as a source, and standard output for its translation. */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Stream from "effect/Stream"
import type * as Format from "../../format/Format.js"
import * as JobSource from "../../job/JobSource.js"
import { Usage } from "../failure.js"

const unreadable = () => new Usage({ message: "Standard input can't be read." })

/** The source of a job. */
export const make = (format: Format.Format, failed: "source" | "empty" | undefined) =>
  JobSource.bytes({
    name: "standard input",
    bytes: NodeStream.fromReadable(() => process.stdin, unreadable),
    format,
    failed,
    write: () => (bytes) => Stream.run(bytes, NodeSink.stdout)
  })
