/** Texts of an output that stay, put into the parts that are translated anew. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Part, Unit } from "../../format/Format.js"
import type { SourceUnreadable } from "../FileSourceError.js"
import type { Written } from "./contract.js"
import * as diskLists from "./diskLists.js"

/** A text, and the unit that it is the translation of. */
export interface KeptText extends diskLists.Item {
  /** The place of its part among those with units, and its own in that. */
  readonly part: number
  readonly unit: number
  readonly text: string
}

/** Texts in the order of their places. */
export type Kept<E = diskLists.DiskError> = Stream.Stream<KeptText, E>

/** A person's texts in an output of rows. */
export interface Corrected<E = SourceUnreadable> extends Pick<Written, "corrections" | "deleted" | "stale"> {
  /** Marks the texts that are in no store. */
  readonly onlyHere: ReadonlyArray<string>
  /** Puts the texts into the parts that are translated. */
  readonly into: <E2, R>(parts: Stream.Stream<Part, E2, R>) => Stream.Stream<Part, E | E2, R>
}

/** Parts with a person's texts, if an output has some. */
export const intoParts =
  <E>(corrected: Corrected<E> | undefined) =>
  <E2, R>(parts: Stream.Stream<Part, E2, R>): Stream.Stream<Part, E | E2, R> =>
    corrected === undefined ? parts : corrected.into(parts)

/** Marks the texts of all languages of an output that are in no store; none if there are none. */
export const onlyHere = (
  languages: ReadonlyArray<{ readonly corrected: Pick<Corrected, "onlyHere"> | undefined }>
): ReadonlyArray<string> | undefined => {
  const all = languages.flatMap(({ corrected }) => corrected?.onlyHere ?? [])
  return all.length === 0 ? undefined : all
}

const withTexts = (part: Part, texts: ReadonlyArray<KeptText>): Part => {
  const { units, write } = part
  const kept = new Map(texts.map(({ text, unit }) => [unit, text]))
  return {
    ...part,
    units: units.map((unit, index): Unit => {
      const translation = kept.get(index)
      return translation === undefined ? unit : { ...unit, state: "translated", translation }
    }),
    ...(write && {
      write: (translations, marks) =>
        write(
          units.map((_, index) => kept.get(index) ?? translations[index]),
          marks
        )
    })
  }
}

/** Parts in which these texts are the translations that are there: such a unit is not sent, and written as it is. */
export const into =
  <E>(kept: Kept<E>) =>
  <E2, R>(parts: Stream.Stream<Part, E2, R>): Stream.Stream<Part, E | E2, R> =>
    Stream.unwrapScoped(
      Effect.map(diskLists.cursor(kept), (cursor) => {
        let place = 0
        return Stream.mapChunksEffect(parts, (chunk) =>
          Effect.gen(function* () {
            const written: Array<Part> = []
            for (const part of chunk) {
              if (part.units.length === 0) {
                written.push(part)
                continue
              }
              const texts: Array<KeptText> = []
              while (true) {
                if (cursor.isEmpty()) yield* cursor.fill
                const next = cursor.next()
                if (next?.part !== place) break
                texts.push(next)
                cursor.skip()
              }
              written.push(texts.length === 0 ? part : withTexts(part, texts))
              place++
            }
            return Chunk.unsafeFromArray(written)
          })
        )
      })
    )
