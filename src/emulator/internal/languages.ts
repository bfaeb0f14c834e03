import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as TranslateApi from "../../api/TranslateApi.js"
import * as table from "./languageTable.js"

/** The handlers of the language endpoints. */
export const handlers = HttpApiBuilder.group(TranslateApi.TranslateApi, "languages", (handlers) =>
  handlers
    .handle("list", ({ urlParams }) => Effect.sync(() => table.languages(urlParams)))
    .handle("resources", () => Effect.succeed(table.resources))
    .handle("listV2", ({ urlParams }) => Effect.sync(() => table.languagesV2(urlParams)))
)
