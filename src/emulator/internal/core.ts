/** Changes a text but for the whitespace around it; a blank text stays as it is. */
export const mapCore = (text: string, change: (core: string) => string): string => {
  const core = text.trim()
  if (core === "") return text
  const changed = change(core)
  if (core.length === text.length) return changed
  const start = text.indexOf(core)
  return text.slice(0, start) + changed + text.slice(start + core.length)
}
