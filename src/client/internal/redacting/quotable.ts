import { LRUCache } from "lru-cache"

/** The bytes of a document that are kept, and the number of documents. */
const most = { bytes: 2000, documents: 256 }

/** A document, of which messages of the service must repeat neither the name nor the beginning. */
export class Quotable {
  private beginning = new Uint8Array(0)

  constructor(readonly name: string) {}

  /** Takes the next bytes of the document. */
  add(bytes: Uint8Array): void {
    const missing = most.bytes - this.beginning.length
    if (missing > 0) this.beginning = Uint8Array.from([...this.beginning, ...bytes.subarray(0, missing)])
  }

  /** The pieces that must not be repeated: the document as a whole, and each line of it. */
  get parts(): ReadonlyArray<string> {
    const text = new TextDecoder().decode(this.beginning)
    return [this.name, this.name.replace(/\.\w+$/, ""), text, ...text.split(/[\r\n]+/)]
  }
}

interface Named {
  readonly documentId: string
  readonly name?: string | undefined
  readonly beginning?: Uint8Array | undefined
}

/** The documents that a client has uploaded lately: messages about their statuses may quote them. */
export const recentUploads = () => {
  const recent = new LRUCache<string, Quotable>({ max: most.documents })
  return {
    add: (documentId: string, document: Quotable) => recent.set(documentId, document),
    find: ({ beginning, documentId, name = "" }: Named) => {
      const known = recent.get(documentId)
      if (known !== undefined) return known
      const document = new Quotable(name)
      if (beginning !== undefined) document.add(beginning)
      return document
    }
  }
}

export type RecentUploads = ReturnType<typeof recentUploads>
