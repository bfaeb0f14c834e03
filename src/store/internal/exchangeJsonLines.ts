import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Violation from "../../api/Violation.js"
import * as Format from "../../format/Format.js"
import * as Lines from "../../format/Lines.js"
import { isBlank } from "../../internal/texts.js"
import { encoder } from "../../internal/utf8.js"
import { parseAll } from "./exchangeParse.js"
import type { DecodeOptions, Item } from "./exchangeRows.js"
import { fromFields, jsonFields, toFields } from "./exchangeRows.js"

/** The name of the format in errors. */
export const name = "jsonl"

const decodeFields = Schema.decodeUnknownEither(jsonFields)

const parseLine =
  (options: DecodeOptions, now: DateTime.Utc) =>
  (text: string, line: number): Either.Either<ReadonlyArray<Item>, Format.Problem> => {
    if (isBlank(text)) return Either.right([])
    const refuse = (key: string | undefined, what: string): Format.Problem => ({
      line,
      key,
      message: `${what}: correct the line, or take it out.`
    })
    const value = Either.try((): unknown => JSON.parse(text))
    if (Either.isLeft(value)) return Either.left(refuse(undefined, "it is not JSON"))
    const fields = decodeFields(value.right)
    if (Either.isLeft(fields)) {
      const [{ field, rule }] = Violation.fromIssue(fields.left.issue) as [Violation.Violation]
      return Either.left(refuse(field || undefined, `it ${rule}`))
    }
    return Either.mapBoth(fromFields(fields.right, options, now), {
      onLeft: ({ expected, field }) => refuse(field, `it must be ${expected}`),
      onRight: (item) => [item]
    })
  }

/** Reads lines of JSON. */
export const decode = <E, R>(
  self: Stream.Stream<Uint8Array, E, R>,
  options: DecodeOptions,
  now: DateTime.Utc
): Stream.Stream<Item, E | Format.FormatError, R> =>
  self.pipe(
    Lines.decode(),
    Stream.mapError((error) =>
      Lines.isLinesError(error)
        ? Format.formatError(name, options.file, { line: error.line, message: error.explanation })
        : error
    ),
    parseAll(name, options.file, parseLine(options, now))
  )

const lineOf = (item: Item): string =>
  `${JSON.stringify({ ...toFields(item), at: DateTime.formatIso(item.at) })}\n`

/** Writes lines of JSON. Half of a surrogate pair is escaped. */
export const encode = <E, R>(self: Stream.Stream<Item, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.mapChunks(self, (items) =>
    Chunk.isEmpty(items)
      ? Chunk.empty()
      : Chunk.of(encoder.encode(Chunk.toReadonlyArray(items).map(lineOf).join("")))
  )
