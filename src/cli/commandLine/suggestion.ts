/** What a person may have meant. */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"

const bare = (name: string) => name.replace(/^-+/, "")

/** The name that begins as one does, or else the one that it is nearest to, if it is near. */
const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const begun = names.find((other) => bare(name).length > 1 && bare(other).startsWith(bare(name)))
  if (begun !== undefined) return begun
  const distance = (other: string) =>
    AutoCorrect.levensteinDistance(bare(name), bare(other), CliConfig.defaultConfig)
  const [best] = names
    .filter((other) => distance(other) <= Math.ceil(bare(other).length / 3))
    .toSorted((one, other) => distance(one) - distance(other))
  return best
}

/** ` Did you mean "de"?`, or nothing. */
export const didYouMean = (name: string, names: ReadonlyArray<string>): string => {
  const found = nearest(name, names)
  return found === undefined ? "" : ` Did you mean "${found}"?`
}
