import { Agent } from "undici"
import { batchesOf, type Subject } from "../corpus.js"

/** No checks, no retries, no types: what HTTP and JSON cost by themselves. */
export const run: Subject = async (url, texts, concurrency) => {
  const agent = new Agent()
  const batches = batchesOf(texts, 50)
  let characters = 0
  const worker = async () => {
    for (const text of batches) {
      const { body } = await agent.request({
        origin: url,
        path: "/v2/translate",
        method: "POST",
        headers: { authorization: "Service-Auth-Key bench", "content-type": "application/json" },
        body: JSON.stringify({ text, target_lang: "de", show_billed_characters: true })
      })
      const { translations } = (await body.json()) as { translations: ReadonlyArray<{ text: string }> }
      for (const { text } of translations) characters += text.length
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  await agent.close()
  return characters
}
