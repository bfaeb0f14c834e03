import { parquetWriteBuffer } from "hyparquet-writer"

/** Files that the commands and programs of the documents read, by their paths. */
const lines = (...texts: ReadonlyArray<string>) => texts.map((text) => `${text}\n`).join("")

const message = (role: string, content: string) => ({ role, content })

export const samples: Readonly<Record<string, string | Uint8Array>> = {
  "reviews.parquet": new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "id", data: [1, 2, 3, 4], type: "INT32" },
        {
          name: "text",
          data: ["Holds tea well.", null, "The handle broke.", "A good mug, full."],
          type: "STRING"
        }
      ]
    })
  ),
  "products.csv":
    'sku,title,body\nM-1,Mug,"Holds tea, coffee\nor pens"\nC-2,Cup,Like the mug but smaller\nP-3,Pot,\n',
  "terms.de.csv": "mug,Becher\ntea,Tee\n",
  "notes.txt": "The mug is full",
  "locales/en.json": '{ "greeting": "Welcome, {name}", "cart": { "empty": "Your cart is empty" } }\n',
  "train.jsonl": lines(
    ...["Where is my order?", "Can I pay by card?"].map((question, id) =>
      JSON.stringify({ id, messages: [message("user", question), message("assistant", "Let me see.")] })
    )
  ),
  "catalogue.csv": lines(
    "sku,title,description",
    ...Array.from({ length: 10_000 }, (_, index) => `P-${index},Mug ${index},"A mug, ${index % 50} cm tall"`)
  ),
  "content/index.md": "# Home\n\nWelcome.\n",
  "content/guide/start.md": "# Guide\n\nRun `npm start` and read the [manual](manual.md).\n",
  "episode.en.srt": lines("1", "00:00:01,000 --> 00:00:03,000", "Good evening.", ""),
  "letters/offer.txt": "Dear customer, here is our offer.\n",
  "letters/reminder.html": "<p>Dear customer, this is a reminder.</p>\n"
}

/** Those that some code names, or a folder of which it names. */
export const samplesOf = (code: string) =>
  Object.entries(samples).filter(([path]) => code.includes(path) || code.includes(path.split("/")[0]!))
