import * as Effect from "effect/Effect"
import type * as CustomInstruction from "../../api/CustomInstruction.js"
import * as Limits from "../../api/Limits.js"
import * as StyleRule from "../../api/StyleRule.js"
import * as Text from "../../api/Text.js"
import type * as Region from "../Region.js"
import type { StyleRules } from "../StyleRules.js"
import * as TranslateError from "../TranslateError.js"
import type { Endpoints } from "./endpoints.js"
import * as paginate from "./paginate.js"

const freeTier = "for the paid tier only, and this region is of the free tier"

/** Where there are no style rules, nothing is sent. */
const available = (endpoints: Endpoints): Pick<Endpoints, "call" | "remove"> => {
  if (endpoints.region.tier !== "free") return endpoints
  const refuse = (endpoint: { readonly method: string; readonly path: string }) => () =>
    Effect.fail(
      TranslateError.invalidRequest(endpoint, [
        { field: "", rule: `style rules are ${freeTier}: take the base address and a key of the paid tier` }
      ])
    )
  return { call: refuse, remove: refuse }
}

/** Refuses a style rule list where there are none. */
export const check = (
  region: Region.Service,
  endpoint: { readonly method: string; readonly path: string },
  request: { readonly styleId?: string | undefined }
): Effect.Effect<void, TranslateError.TranslateError> =>
  region.tier === "free" && request?.styleId !== undefined
    ? Effect.fail(
        TranslateError.invalidRequest(endpoint, [
          {
            field: "styleId",
            rule: `is ${freeTier}: leave it out, or take the base address and a key of the paid tier`
          }
        ])
      )
    : Effect.void

/** Translations that refuse a style rule list where there are none. */
export const guard = <A>(
  region: Region.Service,
  translate: (request: Text.TranslateRequest) => Effect.Effect<A, TranslateError.TranslateError>
): typeof translate =>
  region.tier !== "free"
    ? translate
    : (request) => Effect.zipRight(check(region, Text.translateText, request), translate(request))

interface InList<A> {
  readonly styleId: string
  readonly payload: A
}

interface InInstruction {
  readonly styleId: string
  readonly instructionId: string
}

const pageSize = Limits.styleRuleListPageSize.max

export const make = (endpoints: Endpoints): StyleRules => {
  const { api } = endpoints
  const { call, remove } = available(endpoints)

  const list = call(StyleRule.list, "free", (page: StyleRule.Page) =>
    api.styleRules.list({ urlParams: page })
  )
  const get = call(StyleRule.get, "free", (styleId: string) => api.styleRules.get({ path: { styleId } }))
  const rename = call(StyleRule.rename, "free", ({ payload, styleId }: InList<{ readonly name: string }>) =>
    api.styleRules.rename({ path: { styleId }, payload })
  )
  const replaceConfiguredRules = call(
    StyleRule.replaceConfiguredRules,
    "free",
    ({ payload, styleId }: InList<StyleRule.ConfiguredRules>) =>
      api.styleRules.replaceConfiguredRules({ path: { styleId }, payload })
  )
  const createInstruction = call(
    StyleRule.createInstruction,
    "never",
    ({ payload, styleId }: InList<CustomInstruction.NewInstruction>) =>
      api.styleRules.createInstruction({ path: { styleId }, payload })
  )
  const getInstruction = call(StyleRule.getInstruction, "free", (path: InInstruction) =>
    api.styleRules.getInstruction({ path })
  )
  const replaceInstruction = call(
    StyleRule.replaceInstruction,
    "free",
    ({ payload, ...path }: InInstruction & { readonly payload: CustomInstruction.Replacement }) =>
      api.styleRules.replaceInstruction({ path, payload })
  )
  const deleteInstruction = remove(StyleRule.deleteInstruction, (path: InInstruction) =>
    api.styleRules.deleteInstruction({ path })
  )

  return {
    create: call(StyleRule.create, "never", (payload: StyleRule.NewStyleRuleList) =>
      api.styleRules.create({ payload })
    ),
    list: (page = {}) => list(page),
    stream: ({ detailed } = {}) =>
      paginate.byNumber(pageSize, (page) =>
        Effect.map(list({ detailed, page, pageSize }), ({ styleRules }) => styleRules)
      ),
    get,
    rename: (styleId, name) => rename({ styleId, payload: { name } }),
    replaceConfiguredRules: (styleId, payload) => replaceConfiguredRules({ styleId, payload }),
    delete: remove(StyleRule.remove, (styleId: string) => api.styleRules.delete({ path: { styleId } })),
    createInstruction: (styleId, payload) => createInstruction({ styleId, payload }),
    getInstruction: (styleId, instructionId) => getInstruction({ styleId, instructionId }),
    replaceInstruction: (styleId, instructionId, payload) =>
      replaceInstruction({ styleId, instructionId, payload }),
    deleteInstruction: (styleId, instructionId) => deleteInstruction({ styleId, instructionId })
  }
}
