import { execFile, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { folder, prepare } from "../../scripts/formatCorpus.js"
import * as Xliff from "../../src/format/Xliff.js"
import { rewrite } from "./formats.js"

const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0
const temporary = mkdtempSync(join(tmpdir(), "xliff-schema-"))
const xsd = join(folder, "xsd")

const filesIn = (path: string, ending: RegExp): ReadonlyArray<string> =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && ending.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
    : []

/** The schemas of OASIS, which name that of `xml:lang` where xmllint may not go. */
const schemaOf = (version: "1.2-strict" | "2.0"): string => {
  const schemas = filesIn(xsd, /\.xsd$/)
  const path = (name: string) => schemas.find((schema) => schema.endsWith(`/${name}`))!
  const text = readFileSync(path(`xliff-core-${version}.xsd`), "utf8")
  const copy = join(temporary, `${version}.xsd`)
  writeFileSync(copy, text.replace(/schemaLocation="[^"]*xml\.xsd"/, `schemaLocation="${path("xml.xsd")}"`))
  return copy
}

/** The numbers of the files that are valid. */
const validOf = (
  name: string,
  files: ReadonlyArray<string>,
  schema: string
): Promise<ReadonlyArray<number>> => {
  const place = join(temporary, name)
  mkdirSync(place, { recursive: true })
  for (const [index, file] of files.entries()) writeFileSync(join(place, `${index}.xlf`), file)
  const names = files.map((_, index) => `${index}.xlf`)
  return new Promise((resolve) =>
    execFile(
      "xmllint",
      ["--nonet", "--noout", "--schema", schema, ...names],
      { cwd: place, maxBuffer: 1 << 26 },
      (_, _out, errors) =>
        resolve(
          [...errors.matchAll(/^(\d+)\.xlf validates$/gm)]
            .map(([, index]) => Number(index))
            .sort((a, b) => a - b)
        )
    )
  )
}

const angular1 = `<?xml version="1.0" encoding="UTF-8" ?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="en" datatype="plaintext" original="ng2.template">
    <body>
      <trans-unit id="a1" datatype="html">
        <source>Hello <x id="INTERPOLATION" equiv-text="{{ name }}"/>, <x id="ICU" equiv-text="{n, plural, =0 {...}}" xid="2"/></source>
        <context-group purpose="location"><context context-type="sourcefile">a.html</context></context-group>
        <note priority="1" from="description">greeting</note>
      </trans-unit>
      <trans-unit id="2">
        <source>{VAR_PLURAL, plural, =0 {no <x id="START_B" ctype="x-b"/>text<x id="CLOSE_B" ctype="x-b"/>} other {<x id="INTERPOLATION"/>}}</source>
      </trans-unit>
      <trans-unit id="b" approved="no">
        <source xml:space="preserve">One</source>
        <target state="new" state-qualifier="exact-match">Eins</target>
        <alt-trans><source>One</source><target xml:lang="de">Ein</target></alt-trans>
      </trans-unit>
      <trans-unit id="c">
        <source>Two. Here.</source>
        <seg-source><mrk mtype="seg" mid="1">Two.</mrk> <mrk mtype="seg" mid="2">Here.</mrk></seg-source>
        <note>x</note>
      </trans-unit>
      <group id="g"><trans-unit id="e">
        <source>A<bpt id="1">&lt;b&gt;</bpt>b<ept id="1">&lt;/b&gt;</ept> <ph id="2">%d<sub>s</sub></ph><it id="3" pos="open">i</it></source><target/>
      </trans-unit></group>
    </body>
  </file>
</xliff>
`

const angular2 = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en">
  <file original="ng.template" id="ngi18n">
    <unit id="a">
      <notes><note category="description">d</note><note category="location">x:1</note></notes>
      <originalData><data id="d1">{{x}}</data></originalData>
      <segment>
        <source>Hello <ph id="0" equiv="INTERPOLATION" disp="{{ name }}" dataRef="d1"/> <pc id="1" equivStart="S" equivEnd="E" type="fmt">bold</pc></source>
      </segment>
      <ignorable><source> </source></ignorable>
      <segment id="s2" state="initial" subState="x:y"><source>Two<cp hex="001A"/></source><target>Zwei</target></segment>
    </unit>
    <unit id="b"><segment><source>{N, plural, =0 {no} other {<ph id="0"/> many}}</source></segment></unit>
    <unit id="m"><segment><source>a <mrk id="m1" type="term">t</mrk> <sc id="s"/>x<ec startRef="s"/> <sm id="m2" type="comment"/>c<em startRef="m2"/></source></segment></unit>
  </file>
</xliff>
`

let missing: ReadonlyArray<string> = []

beforeAll(async () => {
  if (hasXmllint) missing = await prepare(["xliff", "xsd"])
})

afterAll(() => rmSync(temporary, { recursive: true, force: true }))

describe("Translated XLIFF is valid by its schema", () => {
  for (const [version, own] of [
    ["1.2-strict", angular1],
    ["2.0", angular2]
  ] as const) {
    for (const mark of ["translated", "needs-review", "none"] as const) {
      it(`XLIFF ${version}, marked as ${mark}`, async ({ skip }) => {
        if (!hasXmllint) skip("xmllint is not installed")
        if (!existsSync(xsd)) skip(`the schemas could not be had: ${missing.join("; ")}`)
        const schema = schemaOf(version)
        const namespace = `urn:oasis:names:tc:xliff:document:${version.slice(0, 3)}"`
        const others = filesIn(join(folder, "xliff"), /\.(?:xlf|xliff)$/)
          .map((path) => readFileSync(path, "utf8"))
          .filter((text) => text.includes(namespace))
        const files = [own, ...others]
        const before = await validOf("before", files, schema)
        expect(before).toContain(0)
        const written = await Promise.all(
          files.map((file) => {
            const targetLang = /(?:target-language|trgLang)="([^"]+)"/.exec(file)?.[1] ?? "de"
            const translated = rewrite(Xliff.make({ mark }), file, ({ text }) => `\u017e ${text}`, {
              targetLang
            })
            return Effect.runPromise(Effect.orElseSucceed(translated, () => file))
          })
        )
        expect(written[0]).toContain("<target")
        const after = await validOf("after", written, schema)
        console.log(`XLIFF ${version}: ${before.length} of ${files.length} files were valid`)
        expect(before.filter((index) => !after.includes(index)).map((index) => written[index])).toStrictEqual(
          []
        )
      })
    }
  }
})
