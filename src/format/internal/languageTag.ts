/** A language as BCP 47 writes it, whatever its case and separators: `pt-BR`, `zh-Hant`. */
export const tagOf = (language: string): string =>
  language
    .split(/[-_]/)
    .map((part, index) =>
      index === 0
        ? part.toLowerCase()
        : part.length === 4
          ? part[0]!.toUpperCase() + part.slice(1).toLowerCase()
          : part.toUpperCase()
    )
    .join("-")
