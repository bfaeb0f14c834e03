import { make, ranges } from "./check.js"

/** Labels are short: in longer texts the marks are something else. */
const longest = 100

/** Access keys in labels: `&File`, `E&xit`, `_Open`, `Save _as`, `E_xit`. Names such as `AT&T` and `foo_bar` have none. */
const marks: ReadonlyArray<readonly [mark: string, accelerator: RegExp]> = [
  ["&", /(?:(?<![&%\p{L}\p{N}])&(?=[\p{L}\p{N}])|(?<=\p{L})&(?=\p{Ll}))(?!\w{1,31};)/gu],
  ["_", /(?<![^\s("'<>|/-])_(?=[\p{L}\p{N}])|(?<=(?<![^\s("'<>|/-])\p{Lu}\p{Ll}*)_(?=\p{Ll})/gu]
]

export const accelerators = make(
  {
    name: "accelerators",
    severity: "warning",
    explanation: "The source marks an access key, and the translation marks none."
  },
  ({ source, translation }) => {
    if (source.length > longest) return undefined
    for (const [mark, accelerator] of marks) {
      if (!source.includes(mark) || translation.includes(mark)) continue
      const expected = ranges(source, accelerator)
      if (expected.length === 1 && source.split(mark).length === 2)
        return { source: expected, translation: [] }
    }
    return undefined
  }
)
