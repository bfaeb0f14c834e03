import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type * as Format from "../../src/format/Format.js"
import * as Formats from "../../src/format/Formats.js"

const message = (name: string, text: string) =>
  Stream.make(new TextEncoder().encode(text)).pipe(
    Either.getOrThrow(Formats.byName(name)).decode({ file: "a", targetLang: "de" }),
    Stream.runDrain,
    Effect.as(""),
    Effect.catchAll((error: Format.FormatError) => Effect.succeed(error.message))
  )

const conflict = (ours: string, theirs: string) =>
  `${ours}\n<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> other\n`

it.effect("a conflict of git is named with its line, also where the format would read it as texts", () =>
  Effect.gen(function* () {
    const told = "a, line 2: this is a conflict of git (<<<<<<<): resolve it, then run again."
    expect(yield* message("json", conflict('"a": "Mug",', '"a": "Cup",'))).toBe(told)
    expect(yield* message("properties", conflict("a=Mug", "a=Cup"))).toBe(told)
    expect(yield* message("yaml", conflict("a: Mug", "a: Cup").replaceAll("\n", "\r\n"))).toBe(told)
    expect(yield* message("markdown", conflict("Mug", "Cup"))).toBe("")
    expect(yield* message("properties", "<<<<<<<\na=Mug\n")).toBe("")
  })
)

it.effect("a comment of HTML in MDX is told with the form that MDX has instead", () =>
  Effect.gen(function* () {
    expect(yield* message("mdx", "# Mug\n\n<!-- Cup -->\n")).toContain(
      "MDX has no comments in <!-- -->: write {/* … */}, or read the file as Markdown (--format markdown)."
    )
    expect(yield* message("mdx", "# Mug\n\n<b>Cup\n")).toContain("this is not MDX: close the tags")
  })
)
