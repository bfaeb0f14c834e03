/** The keys by which a store finds texts: no two texts share one, and equal ones do. */
import { describe, expect, it } from "@effect/vitest"
import * as StoreKeys from "../../src/store/StoreKeys.js"
import type { Namespace } from "../../src/store/TranslationStore.js"

const namespace: Namespace = {
  endpoint: "/v2/translate",
  service: "s",
  account: "a",
  sourceLang: "en",
  targetLang: "de",
  settings: "{}"
}

describe("the id of a namespace", () => {
  for (const [field, value] of Object.entries(namespace)) {
    it(`is another one if ${field} differs`, () => {
      expect(StoreKeys.namespaceId({ ...namespace, [field]: `${value}x` })).not.toBe(
        StoreKeys.namespaceId(namespace)
      )
    })
  }

  it("depends on no order of the fields, and not on how a language is left out", () => {
    const { sourceLang: _, targetLang: __, ...without } = namespace
    expect(StoreKeys.namespaceId(Object.fromEntries(Object.entries(namespace).reverse()) as never)).toBe(
      StoreKeys.namespaceId(namespace)
    )
    expect(StoreKeys.namespaceId({ ...without, sourceLang: undefined, targetLang: undefined })).toBe(
      StoreKeys.namespaceId(without as never)
    )
    expect(StoreKeys.namespaceId({ ...namespace, sourceLang: undefined })).not.toBe(
      StoreKeys.namespaceId({ ...namespace, targetLang: undefined, sourceLang: "de" })
    )
  })
})

/** Halves of a surrogate pair, which have no bytes in UTF-8, and what could be taken for one. */
const texts = ["", "a", "\ud800", "\udc00", "\ufffd", '"\\ud800"', 'j"\\ud800"', "ta", "t", "a "]

for (const [name, keys] of Object.entries({ hashed: StoreKeys.hashed, plain: StoreKeys.plain })) {
  describe(`keys that are ${name}`, () => {
    it("differ for all texts, in a namespace and without one", () => {
      expect(new Set(texts.map((text) => keys.keyOf("n", text))).size).toBe(texts.length)
      expect(new Set(texts.map(keys.hashOf)).size).toBe(texts.length)
    })

    it("differ for all namespaces, and are the same for equal texts", () => {
      expect(keys.keyOf("n", "a")).not.toBe(keys.keyOf("m", "a"))
      expect(keys.keyOf("n", "a")).toBe(keys.keyOf("n", "a"))
    })
  })
}
