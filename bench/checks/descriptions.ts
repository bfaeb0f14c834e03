/** Prose that people have translated: descriptions of Debian's packages, of which apt has lists. */
import { execFile } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Text, Translation } from "./catalogues.js"
import { hasNoSpaces, type Language, languageOf, languages } from "./languages.js"
import { cache, filesBelow, once } from "./sources.js"

const run = promisify(execFile)

/** Locales as the lists name them. */
const locales = languages.map((language) =>
  language === "pt-PT" ? "pt" : language.replace("-BR", "_BR").replace("-Hans", "_CN").replace("-Hant", "_TW")
)

/** The lists alone, in a folder of their own: some 28 MB. What apt itself has is left as it is. */
const download = async (folder: string): Promise<void> => {
  const config = join(folder, "apt.conf")
  await mkdir(join(folder, "lists", "partial"), { recursive: true })
  await writeFile(
    config,
    `Acquire::Languages { ${["en", ...locales].map((locale) => `"${locale}";`).join(" ")} };
Acquire::IndexTargets::deb::Packages::DefaultEnabled "false";
Dir::Etc::parts "/dev/null";
Dir::State::lists "${join(folder, "lists")}";
`
  )
  await run("apt-get", ["-qq", "update"], { env: { ...process.env, APT_CONFIG: config } })
}

interface Description {
  readonly package: string
  /** Of the English text. */
  readonly hash: string
  readonly paragraphs: ReadonlyArray<string>
}

/** Lines of a paragraph as one; lists and lines that keep their ends are left out. */
const toParagraph = (text: string, language: Language | "en"): string =>
  /^ [ \t]/m.test(text)
    ? ""
    : text
        .replace(/^ /, "")
        .replace(language !== "en" && hasNoSpaces(language) ? /(?<=[^ -~])\n (?=[^ -~])/g : /$^/, "")
        .replace(/\n /g, " ")

const parse = (list: string, language: Language | "en"): ReadonlyArray<Description> =>
  list.split("\n\n").flatMap((entry) => {
    const fields = /^Package: (\S+)\nDescription-md5: (\S+)\nDescription-\w+: .*\n([\s\S]*)/.exec(entry)
    return fields === null
      ? []
      : [
          {
            package: fields[1]!,
            hash: fields[2]!,
            paragraphs: fields[3]!.split(/^ \.\n/m).map((text) => toParagraph(text.trimEnd(), language))
          }
        ]
  })

const pairUp = (english: Description, translated: Description): ReadonlyArray<Translation> =>
  english.paragraphs.length !== translated.paragraphs.length
    ? []
    : english.paragraphs.flatMap((source, at) => {
        const translation = translated.paragraphs[at]!
        return source === "" || translation === "" || source === translation ? [] : [{ source, translation }]
      })

/** Packages of one source, such as `gcc-doc` and `gcc-locales`, have one writer. */
const writerOf = (name: string) => name.split("-")[0]!

/** Paragraphs of each language, each once. */
export const readDescriptions = async (
  missing: (what: string) => void
): Promise<ReadonlyMap<Language, ReadonlyArray<Text>>> => {
  const folder = await once(join(cache, "descriptions"), download).catch(() => {
    missing("descriptions of Debian's packages")
    return undefined
  })
  const found = new Map<Language, ReadonlyArray<Text>>()
  if (folder === undefined) return found
  const paths = new Map(
    (await filesBelow(join(folder, "lists"))).flatMap((path) => {
      const locale = /main_i18n_Translation-([\w%]+)$/.exec(path)?.[1]
      return locale === undefined ? [] : [[decodeURIComponent(locale), path] as const]
    })
  )
  const english = new Map(
    parse(await readFile(paths.get("en")!, "utf8"), "en").map((each) => [each.hash, each])
  )
  for (const [locale, path] of paths) {
    const language = languageOf(locale)
    if (language === undefined) continue
    const texts = new Map<string, Text>()
    for (const translated of parse(await readFile(path, "utf8"), language)) {
      const original = english.get(translated.hash)
      if (original === undefined) continue
      for (const text of pairUp(original, translated))
        texts.set(text.source, { ...text, writer: writerOf(translated.package) })
    }
    found.set(language, [...texts.values()])
  }
  return found
}
