/** What does not compile, and what is open: checked by `tsc`. */
// @effect-diagnostics floatingEffect:off
import type { StyleRules } from "effect-translate"
import { describe, expectTypeOf, it } from "vitest"

/** Nothing here runs. */
const use = (_: (client: StyleRules.StyleRules) => unknown) => {}

describe("style rules", () => {
  it("complete the known options, and take any category, rule and option", () => {
    use((client) => {
      client.replaceConfiguredRules("id", {
        style_and_tone: { short_vs_long_words: "an_option_to_come", a_rule_to_come: "an_option" },
        a_category_to_come: { a_rule: "an_option" }
      })
      // @ts-expect-error an option is a name
      client.replaceConfiguredRules("id", { numbers: { digits: 3 } })
      // @ts-expect-error a category holds rules
      client.replaceConfiguredRules("id", { numbers: "digits" })
    })
    type Rules = StyleRules.ConfiguredRules
    expectTypeOf<Required<NonNullable<Rules["punctuation"]>>>().toHaveProperty("apostrophe")
    expectTypeOf<Rules["a_category_to_come"]>().toEqualTypeOf<
      { readonly [rule: string]: string | undefined } | undefined
    >()
  })

  it("need all fields to replace an instruction", () => {
    use((client) => {
      client.createInstruction("id", { label: "Tone", prompt: "Stay dry." })
      client.replaceInstruction("id", "id", { label: "Tone", prompt: "Stay dry.", sourceLanguage: null })
      // @ts-expect-error which source language? null is for all
      client.replaceInstruction("id", "id", { label: "Tone", prompt: "Stay dry." })
    })
  })

  it("exist for eight languages", () => {
    expectTypeOf<StyleRules.Language>().toEqualTypeOf<"de" | "en" | "es" | "fr" | "it" | "ja" | "ko" | "zh">()
  })

  it("are always there in a list, and may be missing in the list of all", () => {
    expectTypeOf<StyleRules.StyleRuleList["configuredRules"]>().toEqualTypeOf<StyleRules.ConfiguredRules>()
    expectTypeOf<StyleRules.StyleRuleListItem["configuredRules"]>().toEqualTypeOf<
      StyleRules.ConfiguredRules | undefined
    >()
  })
})
