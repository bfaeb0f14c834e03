import { describe, expect, it } from "@effect/vitest"
import * as OutputPath from "../../src/format/OutputPath.js"

const outputOf = (path: string, { from, out }: { readonly from?: string; readonly out?: string } = {}) =>
  OutputPath.outputOf({ from, out, isFolder: () => false })({
    path,
    folder: path.split("/").slice(0, -1).join("/")
  })("pt-BR")

describe("outputs of translate", () => {
  it("are beside their sources, under the names that are usual for their formats", () => {
    const outputs = {
      "products.csv": "products.pt-BR.csv",
      "my/products.csv": "my/products.pt-BR.csv",
      "locales/en.json": "locales/pt-BR.json",
      "locales/en/common.json": "locales/pt-BR/common.json",
      "docs/intro.md": "docs/intro.pt-BR.md",
      "docs/intro.en.md": "docs/intro.pt-BR.md",
      "docs/data.min.json": "docs/data.min.pt-BR.json",
      "res/values/strings.xml": "res/values-pt-rBR/strings.xml",
      "en.lproj/Localizable.strings": "pt-BR.lproj/Localizable.strings",
      "Base.lproj/Localizable.strings": "pt-BR.lproj/Localizable.strings",
      "lib/app_en.arb": "lib/app_pt_BR.arb",
      "messages.properties": "messages_pt_BR.properties",
      "_locales/en/messages.json": "_locales/pt_BR/messages.json",
      "locale/en/LC_MESSAGES/django.po": "locale/pt_BR/LC_MESSAGES/django.po",
      "po/app.pot": "po/app.pt_BR.po",
      "Localizable.xcstrings": "Localizable.xcstrings",
      "data/products.csv.gz": "data/products.pt-BR.csv.gz",
      "rows.en.jsonl.br": "rows.pt-BR.jsonl.br"
    }
    for (const [path, output] of Object.entries(outputs)) expect(outputOf(path)).toBe(output)
  })

  it("take the place of the source's language, where that is said", () => {
    expect(outputOf("site/en-GB/index.html", { from: "en" })).toBe("site/pt-BR/index.html")
    expect(outputOf("site/en-GB/index.html")).toBe("site/en-GB/index.pt-BR.html")
  })

  it("have the names that languages are given", () => {
    const outputOf = OutputPath.outputOf({ from: "en" })({ path: "locales/en.json", folder: "locales" })
    expect([outputOf("zh-Hant", "zh-TW"), outputOf("zh-Hans"), outputOf("de")]).toEqual([
      "locales/zh-TW.json",
      "locales/zh-Hans.json",
      "locales/de.json"
    ])
  })

  it("have nothing of the style rules that --style names", () => {
    const plan = { from: "en", style: "0b3dd21d" }
    expect(OutputPath.outputOf(plan)({ path: "locales/en.json", folder: "locales" })("de")).toBe(
      "locales/de.json"
    )
  })

  it("follow --out: a file, a folder or a pattern", () => {
    expect(outputOf("docs/a.md", { out: "b.md" })).toBe("b.md")
    expect(outputOf("docs/a.md", { out: "out" })).toBe("out/docs/a.pt-BR.md")
    expect(outputOf("a.md", { out: "out/{lang}/{dir}/{name}.{ext}" })).toBe("out/pt-BR/a.md")
    expect(outputOf("docs/a.md", { out: "out/{lang}/{dir}/{name}.{ext}" })).toBe("out/pt-BR/docs/a.md")
    expect(outputOf("a.csv.gz", { out: "{lang}/{name}.{ext}" })).toBe("pt-BR/a.csv.gz")
    expect(OutputPath.problemOf({ out: "out/{language}/{name}" })).toContain("has {language}, ")
  })
})
