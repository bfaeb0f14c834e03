import { describe, expect, it } from "vitest"
import * as HtmlTags from "../../src/text/HtmlTags.js"

describe("Tags of HTML", () => {
  it("are found by elements that close, and by those that stand alone", () => {
    for (const text of [
      "<p>a</p>",
      'See <a href="/x">this</a>',
      "a<br>b",
      "<IMG src='a.png' /> a",
      "<b>x</B>"
    ]) {
      expect(HtmlTags.has(text)).toBe(true)
    }
  })

  it("are none where nothing closes, or HTML has no such element", () => {
    for (const text of [
      "a < b",
      "a <b and c> d",
      "List<String> a",
      "<name> said </name>",
      "<https://a.b>",
      "x</b>",
      "I <3 you"
    ]) {
      expect(HtmlTags.has(text)).toBe(false)
    }
  })

  it("are in a translation as they were in its source, in any order", () => {
    const source = '<p class="inner dog">a <b>b</b><br/></p>'
    expect(HtmlTags.restored(source, '<p class="innerer Hund">ä <b>c</b><br></p>')).toBe(
      '<p class="inner dog">ä <b>c</b><br/></p>'
    )
    expect(HtmlTags.restored('<i id="1">a</i> <i id="2">b</i>', '<i id="2">b</i> <i id="1">a</i>')).toBe(
      '<i id="2">b</i> <i id="1">a</i>'
    )
  })

  it("that are missing or too many leave no translation", () => {
    expect(HtmlTags.restored("<b>a</b>", "a")).toBeUndefined()
    expect(HtmlTags.restored("<b>a</b>", "<b>a</b><b>c</b>")).toBeUndefined()
    expect(HtmlTags.restored("<b>a</b>", "<i>a</i>")).toBeUndefined()
  })
})
