import * as Stream from "effect/Stream"
import * as Syntax from "../../../text/Syntax.js"
import * as Format from "../../Format.js"
import { transduce, valuesOrFail } from "../transducer.js"
import type { makeLineReader } from "./lineParts.js"

interface Kind {
  readonly name: string
  readonly extensions: ReadonlyArray<string>
  readonly makeParts: typeof makeLineReader
  readonly ends: () => Format.RecordEnds
}

/** A format of texts that stream, in one kind of pieces. */
export const make =
  ({ ends, makeParts, name, ...kind }: Kind) =>
  ({ extensions = kind.extensions }: Format.Options = {}): Format.Format => ({
    name,
    extensions,
    settings: {},
    isBilingual: false,
    isStreamed: true,
    isSameForTargets: true,
    place: "rows",
    placeholders: Syntax.ofRows,
    rows: { key: [], isOneLine: true },
    records: { hasHeader: false, texts: 1, ends },
    decode:
      ({ file, identity }) =>
      (self) => {
        const parts = transduce(
          makeParts,
          valuesOrFail((problem) => Format.formatError(name, file, problem))
        )(self)
        return identity === undefined ? parts : Stream.map(parts, (part) => ({ ...part, id: "" }))
      }
  })
