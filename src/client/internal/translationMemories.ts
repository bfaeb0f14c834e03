import * as Effect from "effect/Effect"
import * as Limits from "../../api/Limits.js"
import * as TranslationMemory from "../../api/TranslationMemory.js"
import type { TranslationMemories } from "../TranslationMemories.js"
import type { Endpoints } from "./endpoints.js"
import * as paginate from "./paginate.js"

const pageSize = Limits.translationMemoryPageSize.max

export const make = ({ api, call }: Endpoints): TranslationMemories => {
  const list = call(TranslationMemory.list, "free", (page: TranslationMemory.Page) =>
    api.translationMemories.list({ urlParams: page })
  )
  return {
    list: (page = {}) => list(page),
    stream: paginate.byNumber(pageSize, (page) =>
      Effect.map(list({ page, pageSize }), ({ translationMemories }) => translationMemories)
    )
  }
}
