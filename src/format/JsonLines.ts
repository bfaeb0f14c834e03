/**
 * JSON Lines (NDJSON), whose selected strings are translated.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Syntax from "../text/Syntax.js"
import * as Format from "./Format.js"
import * as fieldFit from "./internal/fieldFit.js"
import * as jsonLinesReader from "./internal/json/jsonLinesReader.js"
import * as lineEnds from "./internal/lines/lineEnds.js"
import * as selector from "./internal/selector.js"
import { transduce, valuesOrFail } from "./internal/transducer.js"

/**
 * Selects the texts of a file to translate.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /**
   * The strings to translate, by their paths in a line: `title`, `messages[*].content`, `*.description`, `**.text`, as
   * `Json.make` takes them. A selector that cannot be read fails each file. A file in which none of them leads anywhere
   * fails at its end, with a message about its own keys.
   *
   * @default none: each file is refused, with what it has
   */
  readonly select?: ReadonlyArray<string> | undefined
  /**
   * The paths of the values that tell lines apart, such as `id` or `meta.sku`, by which a job finds a person's corrections in an output
   * again. No two lines of a file may have the same values. @default the places of the lines
   */
  readonly key?: ReadonlyArray<string> | undefined
  /**
   * The treatment of a line that is not JSON: `fail` ends the file, `skip` passes it as it is, as a part with a
   * `problem`. Bytes that are not UTF-8 always end the file.
   *
   * @default "fail"
   */
  readonly onBadLine?: "fail" | "skip" | undefined
}

/**
 * A format of JSON Lines, which are read and written one by one: a file of any size takes the memory of one line.
 *
 * Each line is a part with its selected strings as units, and their keys begin with its number: `12:messages[0].content`. Where a
 * key is there twice, the second is `12:title#2`. A line has at most 16 Mi characters, and may be nested 500 levels deep where
 * something is selected. Blank lines pass. Bad lines are those that are not JSON or too long. Strings are escaped as those of the
 * line; above ASCII with `\u....` if all lines so far do.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  extensions = [".jsonl", ".ndjson"],
  key = [],
  onBadLine = "fail",
  select = []
} = {}) => {
  const name = "jsonl"
  const selected = selector.start(select)
  return {
    name,
    extensions,
    settings: { onBadLine, select },
    choices: select,
    isBilingual: false,
    isStreamed: true,
    isSameForTargets: true,
    place: "rows",
    placeholders: Syntax.ofRows,
    rows: { key },
    records: { hasHeader: false, texts: select.length, ends: lineEnds.lines },
    decode: ({ file, identity, isPiece }) => {
      const fail = (problem: Format.Problem) => Format.formatError(name, file, problem)
      return (self) =>
        Either.match(selected, {
          onLeft: (problem) => Stream.fail(fail(problem)),
          onRight: (state) =>
            self.pipe(
              transduce(
                () =>
                  jsonLinesReader.make({
                    format: name,
                    file,
                    selector: state,
                    idOf: identity && jsonLinesReader.idOf(identity === "key" ? key : undefined),
                    fit: isPiece === true ? undefined : Either.getOrUndefined(fieldFit.make(select)),
                    skipsBadLines: onBadLine === "skip"
                  }),
                valuesOrFail(fail)
              )
            )
        })
    }
  }
}

/**
 * JSON Lines with the default options: each file is refused, with the paths that could be selected.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
