/** The same pattern, for all its matches in a text. */
export const everywhere = (pattern: RegExp): RegExp =>
  new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}g`)
