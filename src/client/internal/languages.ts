import * as Language from "../../api/Language.js"
import type { Languages } from "../Languages.js"
import type { Endpoints } from "./endpoints.js"

export const make = ({ api, call }: Endpoints): Languages => {
  const listV2 = call(Language.listV2, "free", (query: Language.QueryV2) =>
    api.languages.listV2({ urlParams: query })
  )
  return {
    list: call(Language.list, "free", (query: Language.Query) => api.languages.list({ urlParams: query })),
    resources: call(Language.resources, "free", () => api.languages.resources({}))(),
    listV2: (query = {}) => listV2(query)
  }
}
