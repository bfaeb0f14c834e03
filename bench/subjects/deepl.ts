import { Translator } from "deepl-node"
import { batchesOf, type Subject } from "../corpus.js"

/** The official SDK of the public service in the batching loop that its users write by hand. */
export const run: Subject = async (url, texts, concurrency) => {
  const translator = new Translator("bench", { serverUrl: url })
  const batches = batchesOf(texts, 50)
  let characters = 0
  const worker = async () => {
    for (const batch of batches) {
      const results = await translator.translateText(batch, null, "de")
      for (const { text } of results) characters += text.length
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return characters
}
