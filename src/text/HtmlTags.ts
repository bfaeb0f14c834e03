/**
 * The tags of HTML in texts of other formats.
 *
 * @internal
 */
import { tag } from "./PlaceholderPatterns.js"

const names =
  "a abbr address article aside audio b bdi bdo big blockquote button caption center cite code dd del details dfn div dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 header i iframe ins kbd label legend li main mark nav ol option p picture pre q s samp script section select small span strike strong style sub summary sup svg table tbody td tfoot th thead tr tt u ul var video"

const elements: ReadonlySet<string> = new Set(names.split(" "))

/** Elements that stand alone. */
const single: ReadonlySet<string> = new Set("area br col embed hr img input source track wbr".split(" "))

const nameOf = (found: string): string => /^<\/?([^\s<>/]+)/.exec(found)![1]!.toLowerCase()

const tagsIn = (text: string) => Array.from(text.matchAll(new RegExp(tag, "g")), ([found]) => found)

/** True if a text has an element of HTML that closes or stands alone: `<` alone, or `<b`, is none. */
export const has = (text: string): boolean => {
  if (!text.includes("<")) return false
  const tags = tagsIn(text)
  const closed = new Set(tags.filter((found) => found.startsWith("</")).map(nameOf))
  return tags.some((found) => {
    const name = nameOf(found)
    return single.has(name) || (!found.startsWith("</") && elements.has(name) && closed.has(name))
  })
}

/** A tag without its attributes: `/p`. */
const kindOf = (found: string): string => (found.startsWith("</") ? `/${nameOf(found)}` : nameOf(found))

/** A translation with the tags of its source, as they were; `undefined` if it has not all of them, or others. */
export const restored = (source: string, translation: string): string | undefined => {
  const left = tagsIn(source)
  let isOther = false
  const text = translation.replace(new RegExp(tag, "g"), (found) => {
    const same = left.indexOf(found)
    const at = same === -1 ? left.findIndex((own) => kindOf(own) === kindOf(found)) : same
    if (at === -1) isOther = true
    return left.splice(at, 1)[0] ?? found
  })
  return isOther || left.length > 0 ? undefined : text
}
