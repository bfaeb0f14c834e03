import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import type * as ServiceError from "../../api/ServiceError.js"
import * as TranslateApi from "../../api/TranslateApi.js"

const unknown: typeof ServiceError.NotFound.Type = {
  _tag: "NotFound",
  message: "There is no document of this id and key"
}

/** The handlers of documents: none is taken yet. */
export const handlers = HttpApiBuilder.group(TranslateApi.TranslateApi, "documents", (handlers) =>
  handlers
    .handle("upload", () => Effect.fail(unknown))
    .handle("status", () => Effect.fail(unknown))
    .handle("download", () => Effect.fail(unknown))
)
