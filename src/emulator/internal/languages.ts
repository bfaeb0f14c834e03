import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { LanguageTable } from "./languageTable.js"
import { refusal } from "./refusal.js"

/** The handlers of the language endpoints. */
export const handlers = (table: LanguageTable) =>
  HttpApiBuilder.group(TranslateApi.TranslateApi, "languages", (handlers) =>
    handlers
      .handle("list", ({ urlParams }) =>
        Effect.suspend(() => {
          const languages = table.languages(urlParams)
          return languages === undefined
            ? refusal(
                "BadRequest",
                `resource "${urlParams.resource}" is not known here: GET /v3/languages/resources lists them`
              )
            : Effect.succeed(languages)
        })
      )
      .handle("resources", () => Effect.succeed(table.resources))
      .handle("listV2", ({ urlParams }) => Effect.sync(() => table.languagesV2(urlParams)))
  )
