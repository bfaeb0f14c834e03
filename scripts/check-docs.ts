/**
 * Holds sources and documents to the house's rules (`npm run check:docs`): what is exported is documented, modules stay
 * short, links lead somewhere, in the package too, what pages of docs/internals name exists, AGENTS.md lists the campaigns, and no file
 * names a package registry.
 *
 *     npx tsx scripts/check-docs.ts [source root, "src" unless given]
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { campaigns } from "./campaigns.js"
import { checkModule, type Fail } from "./checkModule.js"
import { makeCheckNames } from "./checkNames.js"
import { checkPublic } from "./checkPublic.js"

/** In pieces, so that this file does not name them either. */
const registries = [
  ["registry", "npmjs", "org"],
  ["registry", "yarnpkg", "com"],
  ["registry", "npmmirror", "com"],
  ["npm", "pkg", "github", "com"]
].map((labels) => labels.join("."))

const failures: Array<string> = []
const fail: Fail = (path, line, what) => failures.push(`${path}:${line}  ${what}`)

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

const filesBelow = (root: string): Array<string> =>
  readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (["node_modules", "dist", ".git"].includes(entry.name)) return []
    return entry.isDirectory() ? filesBelow(join(root, entry.name)) : [join(root, entry.name)]
  })

/** The lines of a Markdown file; those of code blocks are empty. */
const proseOf = (path: string) => {
  let fence: string | undefined
  return readFileSync(path, "utf8")
    .split("\n")
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
      const inside = fence !== undefined
      if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
        fence = inside ? undefined : mark
      return inside || mark !== undefined ? "" : line
    })
}

/** What GitHub makes of headings: the anchors of a Markdown file. */
const anchorsOf = (path: string) => {
  const anchors = new Set<string>()
  for (const line of proseOf(path)) {
    for (const [, id] of line.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id!)
    const heading = /^ {0,3}#{1,6}\s+(.*?)[\s#]*$/.exec(line)?.[1]?.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    if (heading === undefined) continue
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-")
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

const { files }: { readonly files: ReadonlyArray<string> } = JSON.parse(readFileSync("package.json", "utf8"))

/** Whether a file or folder is in the package. */
const isPacked = (path: string) => {
  const isIn = (folder: string) => path === folder || path.startsWith(`${folder}/`)
  return (
    ["README.md", "LICENSE", "package.json"].includes(path) ||
    (files.some(isIn) && !files.some((file) => file.startsWith("!") && isIn(file.slice(1))))
  )
}

/** The package does without screenshots, which weigh as much as all other documents: their descriptions stand for them. */
const isScreenshot = (path: string) => path.startsWith("docs/images/")

const linkPattern = /\]\(<?([^)\s>]+)[^)]*\)|^\s*\[[^\]]+\]:\s+(\S+)|\b(?:href|src)="([^"]+)"/g

const checkLinks = (path: string) =>
  proseOf(path).forEach((line, index) => {
    for (const [, inline, reference, html] of line.replace(/(`+).*?\1/g, "").matchAll(linkPattern)) {
      const target = inline ?? reference ?? html!
      if (/^([a-z][a-z+.-]*:|\/\/)/i.test(target)) continue
      const [file = "", anchor] = decodeURI(target).split("#")
      const found = file === "" ? path : join(file.startsWith("/") ? "." : dirname(path), file)
      if (!existsSync(found)) fail(path, index + 1, `link to ${target}: no such file`)
      else if (isPacked(path) && !isPacked(found) && !isScreenshot(found)) {
        fail(path, index + 1, `link to ${target}: the package does not hold it`)
      } else if (anchor && found.endsWith(".md") && !anchorsOf(found).has(anchor)) {
        fail(path, index + 1, `link to ${target}: no such heading`)
      }
    }
  })

const checkRegistries = (path: string) => {
  const forbidden = path === "package-lock.json" ? ['"resolved"'] : registries
  readFileSync(path, "utf8")
    .split("\n")
    .forEach((line, index) => {
      const found = forbidden.find((text) => line.toLowerCase().includes(text))
      if (found !== undefined)
        fail(path, index + 1, `names ${found}: a clone must not depend on one registry`)
    })
}

/** `NodeRuntime.runMain` ends with 0 when it is broken off: a script takes half an output for a whole one. */
const checkPrograms = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .forEach((line, index) => {
      if (/^import .*\bNodeRuntime\b/.test(line))
        fail(path, index + 1, "runs a program by NodeRuntime: take NodeProgram of effect-translate/node")
    })

const modules = filesBelow(process.argv[2] ?? "src").filter((path) => path.endsWith(".ts"))
const documents = ["README.md", "AGENTS.md", ...(existsSync("docs") ? filesBelow("docs") : [])].filter(
  (path) => path.endsWith(".md") && isFile(path)
)
const git = spawnSync("git", ["ls-files", "-z"], { encoding: "utf8" })
const tracked = (git.status === 0 ? git.stdout.split("\0") : filesBelow(".")).filter(
  (path) => isFile(path) && !path.startsWith("examples/data/")
)

for (const path of modules) checkModule(path, fail)
for (const path of documents) checkLinks(path)
const checkNames = makeCheckNames()
for (const path of documents) {
  if (path.startsWith("docs/internals/")) checkNames(path, readFileSync(path, "utf8"), fail)
}
for (const path of tracked) checkRegistries(path)
checkPublic(modules, fail)
for (const path of tracked) {
  if (/^(README\.md|(docs|examples|src)\/.*\.(md|ts))$/.test(path)) checkPrograms(path)
}

const contributing = readFileSync("AGENTS.md", "utf8")
for (const [name, { finds, minutes }] of Object.entries(campaigns)) {
  const row = `| \`${name}\` | ${minutes} | ${finds} |`
  if (!contributing.includes(row)) fail("AGENTS.md", 1, `lacks this row of its campaigns: ${row}`)
}

if (failures.length > 0) {
  console.error(failures.join("\n"))
  process.exitCode = 1
} else {
  console.log(
    `${modules.length} modules, ${documents.length} documents and ${tracked.length} files are in order`
  )
}
