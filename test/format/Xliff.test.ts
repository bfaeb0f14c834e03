import { describe, expect, it } from "@effect/vitest"
import { DOMParser, type Element } from "@xmldom/xmldom"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Xliff from "../../src/format/Xliff.js"
import * as IcuMessage from "../../src/text/IcuMessage.js"
import { runs } from "../support/long.js"
import * as tools from "./formats.js"

const format = Xliff.format

/** A file of XLIFF 1.2 with such units, indented by two spaces for each level. */
const xliff1 = (units: string, file = 'target-language="de"') => `<?xml version="1.0" encoding="UTF-8" ?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="en" ${file} datatype="plaintext" original="app">
    <body>
${units}
    </body>
  </file>
</xliff>
`

/** A file of XLIFF 2 with such units. */
const xliff2 = (units: string, attributes = 'trgLang="de"') => `<?xml version="1.0"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" ${attributes}>
  <file id="f1">
${units}
  </file>
</xliff>
`

const angular = xliff1(`      <trans-unit id="hello" datatype="html">
        <source>Hello <x id="INTERPOLATION" equiv-text="{{ name }}"/>, <x id="START_BOLD_TEXT" ctype="x-b" equiv-text="&lt;b&gt;"/>it's<x id="CLOSE_BOLD_TEXT" ctype="x-b" equiv-text="&lt;/b&gt;"/> &lt;i>R&amp;D&lt;/i></source>
        <context-group purpose="location">
          <context context-type="sourcefile">app/app.component.ts</context>
        </context-group>
        <note priority="1" from="description">A greeting</note>
        <note priority="1" from="meaning">at the  top</note>
      </trans-unit>
      <!-- what follows is done -->
      <trans-unit id='count' xml:space="preserve">
        <source>{VAR_PLURAL, plural, =1 {one} other {many}}</source>
        <target state="translated">{VAR_PLURAL, plural, =1 {eins} other {viele}}</target>
      </trans-unit>`)

const segments = xliff2(`    <notes><note id="n">of the file</note></notes>
    <group id="g" translate="no">
      <unit id="kept"><segment><source>Kept</source></segment></unit>
      <unit id="u1" translate="yes">
        <notes>
          <note category="location">a.ts:3</note>
          <note category="description">Two sentences</note>
        </notes>
        <originalData>
          <data id="d1">[B]</data>
        </originalData>
        <segment id="s1">
          <source>Press <ph id="1" dataRef="d1"/> or <pc id="2" dataRefStart="d1">here &amp; there</pc>.</source>
        </segment>
        <ignorable>
          <source> </source>
        </ignorable>
        <segment id="s2" state="initial" subState="x:y">
          <source><sc id="3"/>Wait<ec startRef="3"/> <mrk id="m" translate="no">ACME</mrk></source>
          <target/>
        </segment>
      </unit>
    </group>`)

const upper = ({ text }: { readonly text: string }) =>
  text.replace(/[a-z](?![^<]*>)(?![^{]*\})(?![a-z]*;)/g, (letter) => letter.toUpperCase())

describe("Xliff.format", () => {
  it.effect("reads units of XLIFF 1.2, inline elements as short tags", () =>
    Effect.gen(function* () {
      expect(yield* tools.unitsOf(format, angular)).toStrictEqual([
        {
          key: "app/hello",
          text: "Hello <x1/>, <x2/>it's<x3/> &lt;i&gt;R&amp;D&lt;/i&gt;",
          line: 6,
          state: "missing",
          translation: undefined
        },
        {
          key: "app/count",
          text: "{VAR_PLURAL, plural, =1 {one} other {many}}",
          line: 15,
          state: "translated",
          translation: "{VAR_PLURAL, plural, =1 {eins} other {viele}}"
        }
      ])
    })
  )

  it.effect("takes the most characters of a translation from a width in characters", () =>
    Effect.gen(function* () {
      const limits = (attributes: string, source = "Save") =>
        Effect.map(
          tools.unitsOf(
            format,
            `<xliff version="1.2"><file original="app" source-language="en" datatype="x"><body><trans-unit id="a" ${attributes}><source>${source}</source></trans-unit></body></file></xliff>`
          ),
          (units) => units.map(({ maxCharacters }) => maxCharacters)
        )
      expect(yield* limits('maxwidth="12" size-unit="char"')).toEqual([12])
      expect(yield* limits('maxwidth="12"')).toEqual([undefined])
      expect(yield* limits('size-unit="char"')).toEqual([undefined])
      expect(yield* limits('maxwidth="12" size-unit="char"', 'Save <x id="1"/>')).toEqual([undefined])
    })
  )

  it.effect("gives notes as the context", () =>
    Effect.gen(function* () {
      const context = (file: string) =>
        Effect.map(tools.partsOf(format, file), (parts) => parts.flatMap((part) => part.context ?? []))
      expect(yield* context(angular)).toStrictEqual(["A greeting\nat the top"])
      expect(yield* context(segments)).toStrictEqual(["Two sentences", "Two sentences"])
    })
  )

  it.effect("writes a new target behind its source, with the indentation of the file", () =>
    Effect.gen(function* () {
      const file = xliff1(
        `      <trans-unit id="a">\r\n\t<source>A</source>\r\n\t<seg-source><mrk mtype="seg" mid="1">A</mrk></seg-source>\r\n\t<alt-trans><source>A</source><target>x</target></alt-trans>\r\n</trans-unit>`
      )
      const written = yield* tools.rewrite(format, file, () => "Ä")
      expect(written).toBe(
        file.replace("</seg-source>", '</seg-source>\r\n\t<target state="translated">Ä</target>')
      )
    })
  )

  it.effect("puts the codes of the source into the target, in the order of the translation", () =>
    Effect.gen(function* () {
      const written = yield* tools.rewrite(format, angular, ({ key }) =>
        key === "app/hello" ? "<x2></x2>er<x3/>: <x1 /> & so &lt;i&gt;" : undefined
      )
      expect(written).toContain(
        '\n        <target state="translated"><x id="START_BOLD_TEXT" ctype="x-b" equiv-text="&lt;b&gt;"/>er<x id="CLOSE_BOLD_TEXT" ctype="x-b" equiv-text="&lt;/b&gt;"/>: <x id="INTERPOLATION" equiv-text="{{ name }}"/> &amp; so &lt;i></target>\n'
      )
    })
  )

  it.effect("refuses a translation that has lost, doubled or crossed codes", () =>
    Effect.gen(function* () {
      const file = xliff1(
        '<trans-unit id="a"><source><g id="1">A</g> <g id="2">B</g><x id="3"/></source></trans-unit>'
      )
      const refused = (translation: string) => Effect.flip(tools.rewrite(format, file, () => translation))
      expect(yield* refused("<g1>A</g1> B")).toMatchObject({
        key: "app/a",
        line: 5,
        message: expect.stringContaining("lost 3 of 5")
      })
      expect((yield* refused("<g1>A</g1> <g2>B</g2><x3/><x3/>")).message).toContain("1 inline codes too many")
      expect((yield* refused("<g1>A <g2>B</g1></g2><x3/>")).message).toContain("overlap")
      expect(yield* tools.rewrite(format, file, () => "<g2>b</g2><x3/><g1/>")).toContain(
        '<target state="translated"><g id="2">b</g><x id="3"/><g id="1"></g></target>'
      )
    })
  )

  it.effect(
    "takes elements that begin and end a mark for a pair if they are nested, else for two codes",
    () =>
      Effect.gen(function* () {
        const texts = (source: string) =>
          Effect.map(
            tools.textsOf(format, xliff1(`<trans-unit id="a"><source>${source}</source></trans-unit>`)),
            (all) => all["app/a"]
          )
        expect(yield* texts('<bpt id="1">[b]</bpt>A<ept id="1">[/b]</ept>')).toBe("<g1>A</g1>")
        expect(
          yield* texts('<bx id="1" rid="x"/>A<g id="2"><bx id="3"/>B</g><ex id="3"/><ex id="4" rid="x"/>')
        ).toBe("<g1>A<g2><x3/>B</g2><x4/></g1>")
        expect(
          yield* texts(
            '<ph id="1">[<sub>alt</sub>]</ph>A<it id="2" pos="open">[i]</it>&app;<mrk mtype="protected">P</mrk><mrk mtype="term">T</mrk>'
          )
        ).toBe("<x1/>A<x2/><x3/><x4/><g5>T</g5>")
      })
  )

  it.effect(
    "reads messages with branches as such, and writes their codes in the branches of the target",
    () =>
      Effect.gen(function* () {
        const file = xliff1(
          '<trans-unit id="a"><source>{VAR_PLURAL, plural, =0 {now} =1 {<x id="B"/>one<x id="E"/>} other {<x id="I"/> files}}</source></trans-unit>\n<trans-unit id="b"><source>A {b}</source></trans-unit>'
        )
        const parts = yield* tools.partsOf(format, file)
        expect(parts.map(({ placeholders }) => placeholders?.messageFormat)).toStrictEqual([
          undefined,
          IcuMessage.format,
          undefined
        ])
        const written = yield* tools.rewrite(format, file, ({ text }) => {
          const message = IcuMessage.format.parse(text, { targetLang: "RU", sourceLang: "EN" })
          return message?.format(message.sentences)
        })
        expect(written).toContain(
          '<target state="translated">{VAR_PLURAL, plural, =0 {now} =1 {<x id="B"/>one<x id="E"/>} one {<x id="I"/> files} few {<x id="I"/> files} many {<x id="I"/> files} other {<x id="I"/> files}}</target>'
        )
      })
  )

  it.effect("respects existing targets by their state", () =>
    Effect.gen(function* () {
      const unit = (id: string, target: string, attributes = "") =>
        `<trans-unit id="${id}"${attributes}><source>A</source>${target}</trans-unit>`
      const file = xliff1(
        [
          unit("a", "<target>B</target>"),
          unit("b", '<target state="new">B</target>'),
          unit("c", '<target state="needs-adaptation" state-qualifier="fuzzy-match">B</target>'),
          unit("d", '<target state="needs-review-translation">B</target>', ' approved="yes"'),
          unit("e", '<target state="new"/>'),
          unit("f", '<target state="final">B</target>'),
          unit("g", "<target></target>")
        ].join("\n")
      )
      const units = yield* tools.unitsOf(format, file)
      expect(units.map(({ state }) => state)).toStrictEqual([
        "translated",
        "fuzzy",
        "fuzzy",
        "translated",
        "missing",
        "translated",
        "missing"
      ])
      expect(units.map(({ translation }) => translation)).toStrictEqual([
        "B",
        "B",
        "B",
        "B",
        undefined,
        "B",
        undefined
      ])
      const written = yield* tools.rewrite(format, file, ({ state }) =>
        state === "translated" ? undefined : "C"
      )
      expect(written).toContain('<target state="translated">C</target></trans-unit>\n<trans-unit id="c">')
      expect(written).toContain('<trans-unit id="c"><source>A</source><target state="translated">C</target>')
      expect(written).toContain('<trans-unit id="e"><source>A</source><target state="translated">C</target>')
      expect(written).toContain('<trans-unit id="g"><source>A</source><target state="translated">C</target>')
    })
  )

  it.effect(
    "names the codes of an existing target as those of the source, and leaves marks of segments out",
    () =>
      Effect.gen(function* () {
        const file = xliff1(
          '<trans-unit id="a"><source><x id="1"/>A<g id="2">B</g></source><target><mrk mtype="seg" mid="0"><g id="2">b</g><x id="1"/><x id="9"/>a</mrk></target></trans-unit>'
        )
        expect((yield* tools.unitsOf(format, file))[0]).toMatchObject({
          text: "<x1/>A<g2>B</g2>",
          translation: "<g2>b</g2><x1/><x3/>a"
        })
      })
  )

  it.effect("leaves out texts that are not to be translated, down from files and groups", () =>
    Effect.gen(function* () {
      const file = xliff1(
        `<group translate="no"><trans-unit id="a"><source>A</source></trans-unit><trans-unit id="b" translate="yes"><source>B</source></trans-unit></group>
<trans-unit id="c" translate="no"><source>C</source></trans-unit><trans-unit id="d"><source> <x id="1"/> </source></trans-unit><bin-unit id="e" mime-type="x/y"><bin-source/></bin-unit>`
      )
      expect(yield* tools.textsOf(format, file)).toStrictEqual({ "app/b": "B" })
    })
  )

  it.effect("names the target language where the file names none, and keeps a more precise one", () =>
    Effect.gen(function* () {
      const unit = '<trans-unit id="a"><source>A</source></trans-unit>'
      expect(yield* tools.untouched(format, xliff1(unit, 'x="1"'), { targetLang: "pt_BR" })).toContain(
        '<file source-language="en" target-language="pt-BR" x="1" datatype'
      )
      const blank = '<trans-unit id="a"><source>A</source><target>\n</target></trans-unit>'
      expect(yield* tools.rewrite(format, xliff1(blank, 'target-language=""'), () => "B")).toBe(
        xliff1(blank.replace("<target>\n", '<target state="translated">B'))
      )
      const austrian = xliff1(unit, 'target-language="de-AT"')
      expect(yield* tools.untouched(format, austrian)).toBe(austrian)
      expect(yield* tools.untouched(format, xliff1(unit, 'target-language="fr"'))).toBe(xliff1(unit))
      expect(yield* tools.untouched(format, xliff2("<unit id='a'/>", ""))).toContain(
        'srcLang="en" trgLang="de" >'
      )
    })
  )

  it.effect("takes codes of one language for the same, and keeps that of the file", () =>
    Effect.gen(function* () {
      const unit = '<trans-unit id="a"><source>A</source>\n<target state="translated">B</target></trans-unit>'
      for (const [own, targetLang] of [
        ["zh-CN", "zh-Hans"],
        ["zh-TW", "zh-Hant"],
        ["zh_CN", "zh-Hans"],
        ["no", "nb"],
        ["PT-br", "pt"]
      ] as const) {
        const file = xliff1(unit, `target-language="${own}"`)
        expect(yield* tools.rewrite(format, file, () => "C", { targetLang })).toBe(file.replace("B<", "C<"))
        const second = xliff2("<unit id='a'/>", ` trgLang='${own}'`)
        expect(yield* tools.untouched(format, second, { targetLang })).toBe(second)
      }
      const traditional = xliff1(unit, 'target-language="zh-TW"')
      const error = yield* Effect.flip(tools.unitsOf(format, traditional, { targetLang: "zh-Hans" }))
      expect(error.message).toContain("translations to zh-TW, not to zh-Hans")
    })
  )

  it.effect("refuses a file that holds translations to another language", () =>
    Effect.gen(function* () {
      const file = xliff1(
        '<trans-unit id="a"><source>A</source>\n<target>B</target></trans-unit>',
        'target-language="fr"'
      )
      const error = yield* Effect.flip(tools.unitsOf(format, file))
      expect(error).toMatchObject({
        line: 6,
        key: "app/a",
        message: expect.stringContaining("translations to fr, not to de")
      })
    })
  )

  it.effect("reads and writes segments of XLIFF 2", () =>
    Effect.gen(function* () {
      expect(yield* tools.textsOf(format, segments)).toStrictEqual({
        "f1/u1/s1": "Press <x1/> or <g2>here &amp; there</g2>.",
        "f1/u1/s2": "<g1>Wait</g1> <x2/>"
      })
      const written = yield* tools.rewrite(format, segments, upper)
      expect(written).toBe(
        segments
          .replace(
            "</pc>.</source>",
            '</pc>.</source>\n          <target>PRESS <ph id="1" dataRef="d1"/> OR <pc id="2" dataRefStart="d1">HERE &amp; THERE</pc>.</target>'
          )
          .replace('<segment id="s1">', '<segment id="s1" state="translated">')
          .replace(' state="initial" subState="x:y"', ' state="translated"')
          .replace(
            "<target/>",
            '<target><sc id="3"/>WAIT<ec startRef="3"/> <mrk id="m" translate="no">ACME</mrk></target>'
          )
      )
      const units = yield* tools.unitsOf(format, written)
      expect(units.map(({ state }) => state)).toStrictEqual(["translated", "translated"])
      expect(units[1]?.translation).toBe("<g1>WAIT</g1> <x2/>")
    })
  )

  it.effect("marks translations as told", () =>
    Effect.gen(function* () {
      const unit = '<trans-unit id="a"><source>A</source></trans-unit>'
      const mark = (mark: "needs-review" | "none", file: string) =>
        tools.rewrite(Xliff.make({ mark }), file, () => "B")
      expect(yield* mark("needs-review", xliff1(unit))).toContain(
        '<target state="needs-review-translation">B'
      )
      expect(yield* mark("none", xliff1(unit))).toContain("<target>B</target>")
      const two = '<unit id="a"><segment><source>A</source></segment></unit>'
      expect(yield* mark("needs-review", xliff2(two))).toContain('<segment state="initial"><source>A')
      expect(yield* mark("none", xliff2(two))).toContain("<segment><source>A</source><target>B</target>")
    })
  )

  it.effect("keeps CDATA, prefixes and references", () =>
    Effect.gen(function* () {
      const file = `<x:xliff version="1.2" xmlns:x="urn:oasis:names:tc:xliff:document:1.2"><x:file original="o" source-language="en" target-language="de"><x:body>
<x:trans-unit id="a"><x:source>
  <![CDATA[<b>&amp;</b>]]>
</x:source><x:target state="translated">
  <![CDATA[<b>&amp;</b>]]>
</x:target></x:trans-unit>
<x:trans-unit id="b"><x:source>it&apos;s&#10;&quot;</x:source></x:trans-unit>
</x:body></x:file></x:xliff>`
      expect(yield* tools.textsOf(format, file)).toStrictEqual({
        "o/a": "\n  &lt;b&gt;&amp;amp;&lt;/b&gt;\n",
        "o/b": "it's\n\""
      })
      expect(yield* tools.writtenAnew(format, file)).toBe(
        file.replace(
          "&quot;</x:source>",
          '&quot;</x:source><x:target state="translated">it&apos;s&#10;&quot;</x:target>'
        )
      )
      expect(yield* tools.rewrite(format, file, () => "\n  a]]&gt;b\n")).toContain(
        "\n  <![CDATA[a]]]]><![CDATA[>b]]>\n"
      )
    })
  )

  it.effect("reads tags with whitespace inside, as a service may give them", () =>
    Effect.gen(function* () {
      const file = xliff1(
        '<trans-unit id="a"><source><g id="1">A</g> <x id="3"/></source><target/></trans-unit>'
      )
      const written = yield* tools.rewrite(format, file, () => "< x2 / > < g1 >B</ g1 >")
      expect(written).toContain('<x id="3"/> <g id="1">B</g></target>')
    })
  )

  it.effect("comes out byte for byte, in chunks of any size", () =>
    Effect.gen(function* () {
      for (const file of [angular, segments, `\uFEFF${angular.replaceAll("\n", "\r\n")}`]) {
        for (const chunkSize of [1, 7, 10_000]) {
          expect(yield* tools.untouched(format, file, { chunkSize })).toBe(file)
        }
      }
    })
  )

  it.effect("reads and writes UTF-16 with a byte order mark", () =>
    Effect.gen(function* () {
      const file = new Uint8Array(Buffer.from(`\uFEFF${angular}`, "utf16le"))
      const written = yield* tools.rewriteBytes(format, file, ({ text }) => text)
      expect(Buffer.from(written).toString("utf16le")).toContain(
        '\n        <target state="translated">Hello <x id='
      )
    })
  )

  it.effect("refuses a file that is no XLIFF, or has ids twice", () =>
    Effect.gen(function* () {
      const messageOf = (file: string) =>
        Effect.map(Effect.flip(tools.unitsOf(format, file)), ({ message }) => message)
      expect(yield* messageOf("<xliff version='3.0'/>")).toContain('<xliff version="1.2">')
      expect(yield* messageOf(angular.slice(0, 700))).toContain("cut")
      const twice = '<trans-unit id="a"><source>A</source></trans-unit>\n'
      expect(yield* messageOf(xliff1(twice + twice))).toContain('line 6, column 1, key "a": two units')
      const segment = '<segment id="s"><source>A</source></segment>\n'
      expect(yield* messageOf(xliff2(`<unit id="a">${segment}${segment}</unit>`))).toContain('key "f1/a/s"')
      expect(yield* messageOf(xliff1("<group>".repeat(10_000)))).toContain("500")
      expect(
        yield* tools.textsOf(format, xliff1('<trans-unit id="__proto__"><source>A</source></trans-unit>'))
      ).toStrictEqual({
        "app/__proto__": "A"
      })
    })
  )

  it.effect("has the same structure for another reader after a translation", () =>
    Effect.gen(function* () {
      const codesOf = (element: Element) =>
        [...element.getElementsByTagName("*")]
          .map(({ tagName, attributes }) =>
            [tagName, ...[...attributes].map(({ name, value }) => `${name}=${value}`)].join(" ")
          )
          .toSorted()
      for (const file of [angular, segments]) {
        const written = yield* tools.rewrite(format, file, upper)
        const root = new DOMParser().parseFromString(written, "text/xml").documentElement!
        const targets = [...root.getElementsByTagName("target")]
        expect(targets).toHaveLength(2)
        for (const target of targets) {
          const parent = target.parentNode as Element
          expect(codesOf(target)).toStrictEqual(codesOf(parent.getElementsByTagName("source")[0]!))
          const names = [...parent.childNodes]
            .map(({ nodeName }) => nodeName)
            .filter((name) => name !== "#text")
          expect(names.slice(0, 2)).toStrictEqual(["source", "target"])
        }
      }
    })
  )

  it("reads the texts that it has written", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({
            unit: fc.oneof(
              fc.constantFrom("<", "&", ">", "]]>", "\r", "\n", "{"),
              fc.string({ unit: "grapheme", maxLength: 1 })
            )
          }),
          { maxLength: 4 }
        ),
        fc.constantFrom("A", "it&apos;s", "<![CDATA[x]]>", "a\n>&#xE4;"),
        fc.constantFrom(1, 2),
        (texts, source, version) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const escaped = texts.map((text) =>
                text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
              )
              const file =
                version === 1
                  ? xliff1(
                      texts
                        .map((_, id) => `<trans-unit id="${id}"><source>${source}</source></trans-unit>`)
                        .join("\n")
                    )
                  : xliff2(
                      texts
                        .map(
                          (_, id) => `<unit id="${id}"><segment><source>${source}</source></segment></unit>`
                        )
                        .join("\n")
                    )
              expect(yield* tools.untouched(format, file, { chunkSize: 5 })).toBe(file)
              let next = 0
              const written = yield* tools.rewrite(format, file, () => escaped[next++])
              const units = yield* tools.unitsOf(format, written)
              expect(units.map(({ translation }) => translation ?? "")).toStrictEqual(escaped)
            })
          )
      ),
      { numRuns: runs(50) }
    ))
})

describe("Xliff.format.merge", () => {
  const unit = (id: string, source: string, target = "") =>
    `      <trans-unit id="${id}">\n        <source>${source}</source>${target === "" ? "" : `\n        <target>${target}</target>`}\n      </trans-unit>`

  it.effect("is the target if nothing is new", () =>
    Effect.gen(function* () {
      const target = xliff1(`${unit("b", "B", "b")}\n <!-- x -->\n${unit("a", "A", "a")}`)
      const source = xliff1(`${unit("a", "A")}\n${unit("b", "B")}`, "")
      expect(yield* tools.merge(format, source, target)).toBe(target)
    })
  )

  it.effect("adds new units, keeps existing targets, and takes those of changed sources for fuzzy", () =>
    Effect.gen(function* () {
      const source = xliff1([unit("0", "new"), unit("a", "A"), unit("c", "new"), unit("b", "B2")].join("\n"))
      const target = xliff1([unit("a", "A", "a"), unit("b", "B", "b"), unit("x", "X", "x")].join("\n"))
      const merged = yield* tools.merge(format, source, target)
      expect(merged).toBe(
        xliff1(
          [
            unit("0", "new"),
            unit("a", "A", "a"),
            unit("c", "new"),
            unit("b", "B2", "b").replace("<target", '<target state="needs-review-translation"'),
            unit("x", "X", "x")
          ].join("\n")
        )
      )
      const units = yield* tools.unitsOf(format, merged)
      expect(units.map(({ key, state }) => `${key} ${state}`)).toStrictEqual([
        "app/0 missing",
        "app/a translated",
        "app/c missing",
        "app/b fuzzy",
        "app/x translated"
      ])
      expect(yield* tools.merge(format, source, target, { removed: "drop" })).toBe(
        merged.replace(`\n${unit("x", "X", "x")}`, "")
      )
    })
  )

  it.effect("merges segments of XLIFF 2, and files", () =>
    Effect.gen(function* () {
      const two = (id: string, source: string, target = "", state = "") =>
        `    <unit id="${id}"><segment${state}><source>${source}</source>${target}</segment></unit>`
      const other =
        '\n  <file id="f2">\n    <unit id="z"><segment><source>Z</source></segment></unit>\n  </file>'
      const source = xliff2(`${two("a", "A2")}\n${two("b", "B")}`).replace("\n</xliff>", `${other}\n</xliff>`)
      const target = xliff2(`    <notes/>\n${two("a", "A", "<target>a</target>", ' state="final"')}`)
      expect(yield* tools.merge(format, source, target)).toBe(
        xliff2(
          `    <notes/>\n${two("a", "A2", "<target>a</target>", ' state="initial"')}\n${two("b", "B")}`
        ).replace("\n</xliff>", `${other}\n</xliff>`)
      )
    })
  )

  it.effect("fills an empty body", () =>
    Effect.gen(function* () {
      const empty = xliff1("").replace("<body>\n\n    </body>", "<body/>")
      const source = xliff1(unit("a", "A"))
      expect(yield* tools.merge(format, source, empty)).toBe(source)
    })
  )
})
