/** The licences of what a bundle holds of other packages. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { BuildResult, Plugin } from "esbuild"
import { bundledInputs } from "./textBundles.js"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The folder of the package that a module is of. */
const packageOf = (input: string): ReadonlyArray<string> =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.slice(0, 1) ?? []

const licencesOf = (folder: string): ReadonlyArray<string> => {
  const read = (name: RegExp) =>
    readdirSync(folder)
      .filter((file) => name.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").trim())
  const files = read(/^(licen[cs]e|copying|notice)/i)
  if (files.length > 0) return files
  const [readme = ""] = read(/^readme/i)
  const section = readme.split(/^#+ *licen[cs]e\s*$/im)[1]?.split(/^#/m)[0]
  return section === undefined ? [] : [section]
}

const noticeOf = (folder: string): string => {
  const { author, license, licenses, name, repository, version } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  const source = `By ${author?.name ?? author}. Source: ${repository?.url ?? repository}`
  const licences = licencesOf(folder)
  return [
    `${name} ${version} (${license ?? licenses[0].type})`,
    ...(licences.length > 0 ? licences : [source])
  ]
    .map((text) => text.trim())
    .join("\n\n")
}

const noticesOf = ({ metafile }: BuildResult): string => {
  const folders = new Set([...Object.keys(metafile!.inputs), ...bundledInputs].flatMap(packageOf))
  return `${[...folders]
    .sort()
    .map((folder) => noticeOf(join(root, folder)))
    .join(`\n\n${"-".repeat(80)}\n\n`)}\n`
}

/** Writes `THIRD-PARTY-NOTICES.txt` beside a bundle: a notice for each package in it. */
export const notices: Plugin = {
  name: "notices",
  setup: ({ initialOptions, onEnd }) => {
    initialOptions.metafile = true
    onEnd((result) => {
      if (result.errors.length === 0)
        writeFileSync(resolve(root, initialOptions.outdir!, "THIRD-PARTY-NOTICES.txt"), noticesOf(result))
    })
  }
}
