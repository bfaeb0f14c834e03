/** What a person may have meant. */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"

/** The name that a misspelt one is nearest to, if it is near. */
const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const distance = (other: string) => AutoCorrect.levensteinDistance(name, other, CliConfig.defaultConfig)
  const [best] = names
    .filter((other) => other !== "" && distance(other) <= Math.ceil(other.length / 3))
    .toSorted((one, other) => distance(one) - distance(other))
  return best ?? names.find((other) => name.length > 2 && other.startsWith(name))
}

/** ` Did you mean "de"?`, or nothing. */
export const didYouMean = (name: string, names: ReadonlyArray<string>): string => {
  const found = nearest(name, names)
  return found === undefined ? "" : ` Did you mean "${found}"?`
}
