/**
 * Packages that a bundle loads when something of them is first used. Each is a file of its own; in its place the bundle has an object whose
 * properties `require` it. So a command reads no parser of formats that none of its files has, while the modules that import one stay plain.
 */
import { join, resolve } from "node:path"
import * as esbuild from "esbuild"
import { bundledInputs } from "./textBundles.js"

/** Names by what is loaded at once. */
type Files = Readonly<Record<string, ReadonlyArray<string>>>

/** The names of what a package exports. */
const exportsOf = async (name: string): Promise<ReadonlyArray<string>> => {
  const { default: common = {}, ...named } = await import(name)
  return [...new Set([...Object.keys(named), ...Object.keys(common)])].filter((key) =>
    /^[A-Za-z_]\w*$/.test(key)
  )
}

/** What a module gets in place of a package. Once that is there, reading a property costs no call. */
const placeholder = (file: string, index: number, names: ReadonlyArray<string>) => `
  const load = () => {
    const loaded = require(${JSON.stringify(file)}).p${index}
    for (const name of names) Object.defineProperty(exports, name, { value: loaded[name], enumerable: true })
    return loaded
  }
  const names = ${JSON.stringify(names)}
  for (const name of names)
    Object.defineProperty(exports, name, { get: () => load()[name], enumerable: true, configurable: true })
`

/** For esbuild. The chunks that import such a package must be in one folder, `chunks`. */
export const lazyPackages = (files: Files): esbuild.Plugin => ({
  name: "lazy-packages",
  setup: ({ initialOptions, onEnd, onLoad, onResolve }) => {
    const { absWorkingDir = ".", alias = {}, minify = false, outdir = ".", target = [] } = initialOptions
    const places = new Map(
      Object.entries(files).flatMap(([file, packages]) =>
        packages.map((name, index) => [name, { file: `./${file}.cjs`, index }] as const)
      )
    )
    const used = new Set<string>()
    onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
      places.has(path) ? { path, namespace: "lazy", sideEffects: false } : undefined
    )
    onResolve({ filter: /\.cjs$/, namespace: "lazy" }, ({ path }) => ({ path, external: true }))
    onLoad({ filter: /./, namespace: "lazy" }, async ({ path }) => {
      const { file, index } = places.get(path)!
      used.add(file)
      return { contents: placeholder(file, index, await exportsOf(path)) }
    })
    onEnd(async () => {
      for (const [file, packages] of Object.entries(files)) {
        if (!used.has(`./${file}.cjs`))
          throw new Error(`${file}: nothing imports ${packages.join(", ")} any more`)
        const { metafile } = await esbuild.build({
          absWorkingDir,
          alias,
          minify,
          target,
          stdin: {
            contents: packages
              .map((name, index) => `exports.p${index} = require(${JSON.stringify(name)})`)
              .join("\n"),
            resolveDir: absWorkingDir
          },
          outfile: join(resolve(absWorkingDir, outdir), `chunks/${file}.cjs`),
          bundle: true,
          format: "cjs",
          platform: "node",
          legalComments: "none",
          metafile: true,
          logLevel: "warning"
        })
        for (const input of Object.keys(metafile.inputs)) bundledInputs.add(input)
      }
    })
  }
})
