/** Pages about the emulator itself: the contract as a document for programs, and as a page for people. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as OpenApiDocument from "../../api/OpenApiDocument.js"

type App = Effect.Effect<HttpServerResponse.HttpServerResponse>

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!)

/** JSON with a link from each reference to its target. */
const json = (value: unknown): string =>
  `<pre>${escaped(JSON.stringify(value, null, 2)).replace(
    /#\/components\/(\w+)\/([\w.]+)/g,
    '<a href="#$1-$2">$2</a>'
  )}</pre>`

const details = (id: string, summary: string, value: unknown): string =>
  `<details id="${id}"><summary>${summary}</summary>${json(value)}</details>`

/** Shows each operation and each schema as a section that opens. The page has no script, and works without a network. */
const html = (): string => {
  const { components, info, paths, tags } = OpenApiDocument.make()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), operation, path }))
  )
  const sections = tags.map(({ name }) => [
    `<h2>${name}</h2>`,
    ...operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, operation, path }) => {
        const { deprecated, operationId, parameters, requestBody, responses, summary = "" } = operation
        const about = `${escaped(summary)}${deprecated === true ? " (deprecated)" : ""}`
        return details(operationId, `<code>${method} ${path}</code> ${about}`, {
          parameters,
          requestBody,
          responses
        })
      })
  ])
  const named = (["schemas", "responses"] as const).map((kind) => [
    `<h2>${kind}</h2>`,
    ...Object.entries((components as unknown as Record<string, object>)[kind] ?? {}).map(([name, value]) =>
      details(`${kind}-${name}`, `<code>${name}</code>`, value)
    )
  ])
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} ${info.version}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
summary { cursor: pointer; padding: 0.2rem 0 }
summary code { font-weight: 600 }
pre { overflow-x: auto; padding: 0.5rem 1rem; border-left: 3px solid }
</style>
</head>
<body>
<h1>${info.title} ${info.version}</h1>
<p>The endpoints of this emulator. Programs read <a href="/openapi.json">openapi.json</a>.</p>
${[...sections, ...named].flat().join("\n")}
</body>
</html>
`
}

const document: App = Effect.sync(() => HttpServerResponse.unsafeJson(OpenApiDocument.make()))

const page: App = Effect.sync(() => HttpServerResponse.html(html()))

/** The service has no such paths, so they are neither metered nor billed, and have no faults. */
export const find = ({ method, url }: HttpServerRequest.HttpServerRequest): App | undefined => {
  if (method !== "GET") return undefined
  if (url === "/openapi.json") return document
  return url === "/docs" ? page : undefined
}
