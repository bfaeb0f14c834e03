/** Which file a person may have meant by the name of one that is not there. */
import { existsSync, readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { nearest } from "../commandLine/suggestion.js"
import { isFolder } from "../namedFiles.js"

const asked = (path: string): string => ` Did you mean "${path}"?`

/** ` Did you mean "locales/en.json"?`, or nothing. Names beside it are compared in the forms that a person may have meant. */
export const fileMeant = (
  file: string,
  namesOf: (name: string) => ReadonlyArray<string> = (name) => [name]
): string => {
  const slashed = file.replaceAll("\\", "/")
  if (slashed !== file && existsSync(slashed)) return asked(slashed)
  const folder = dirname(file)
  const names = isFolder(folder) ? readdirSync(folder).flatMap(namesOf) : []
  const found = nearest(basename(file), names)
  return found === undefined ? "" : asked(join(folder, found))
}
