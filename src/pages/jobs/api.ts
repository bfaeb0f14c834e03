/** The page's requests to the server, by the key that was typed in. It never leaves this tab. */
import type * as CorpusJob from "../../workflow/CorpusJob.js"

export type Status = typeof CorpusJob.Status.Encoded
export type Page = typeof CorpusJob.Page.Encoded
export type Worker = typeof CorpusJob.Worker.Encoded
export type Failure = typeof CorpusJob.Failure.Encoded

/** The server's refusal of a request; `status` is 0 if it has not answered. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string
  ) {
    super(message)
  }
}

const place = "effect-translate-jobs-key"

export const key = {
  get: (): string | null => sessionStorage.getItem(place),
  set: (value: string): void => sessionStorage.setItem(place, value),
  forget: (): void => sessionStorage.removeItem(place)
}

/** So long an answer may take. */
const patience = 20_000

/** Below wherever the page is, so that it may be behind a proxy. */
const urlOf = (path: string) => new URL(`v1/${path}`, new URL(".", location.href)).href

const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(urlOf(path), {
    ...init,
    headers: { authorization: `Bearer ${key.get() ?? ""}`, ...init.headers },
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    signal: AbortSignal.timeout(patience)
  }).catch(() => {
    throw new Refusal(0, "The server does not answer.")
  })
  if (response.ok || response.status === 304) return response
  const said: unknown = await response.json().catch(() => undefined)
  const message =
    typeof said === "object" && said !== null && "message" in said && typeof said.message === "string"
      ? said.message
      : `The server has answered with ${response.status}.`
  throw new Refusal(response.status, message)
}

/** Which jobs are asked for. */
export interface Query {
  readonly states?: ReadonlyArray<Status["state"]> | undefined
  readonly hasFailures?: boolean | undefined
  readonly prefix: string
  readonly limit: number
}

const searchOf = ({ hasFailures, limit, prefix, states = [] }: Query): string =>
  new URLSearchParams([
    ...states.map((state) => ["state", state]),
    ...(hasFailures === true ? [["hasFailures", "true"]] : []),
    ...(prefix === "" ? [] : [["prefix", prefix]]),
    ["limit", `${limit}`]
  ]).toString()

let known: { readonly search: string; readonly etag: string | null; readonly page: Page } | undefined

/** Jobs; the same page if nothing has changed. */
export const list = async (query: Query): Promise<Page> => {
  const search = searchOf(query)
  const etag = known?.search === search ? known.etag : null
  const response = await ask(`jobs?${search}`, { headers: etag ? { "if-none-match": etag } : {} })
  if (response.status === 304 && known !== undefined) return known.page
  known = { search, etag: response.headers.get("etag"), page: await response.json() }
  return known.page
}

/** One job; `undefined` if there is none. */
export const status = async (id: string): Promise<Status | undefined> => {
  try {
    return await (await ask(`jobs/${encodeURIComponent(id)}`)).json()
  } catch (error) {
    if (error instanceof Refusal && (error.status === 404 || error.status === 400)) return undefined
    throw error
  }
}

export const workers = async (): Promise<ReadonlyArray<Worker>> => (await ask("workers")).json()

export interface Failures {
  readonly failures: ReadonlyArray<Failure>
  readonly isWhole: boolean
  /** Why they are not whole. */
  readonly error: string | undefined
}

export const failures = async (id: string, limit: number): Promise<Failures> => {
  const text = await (await ask(`jobs/${encodeURIComponent(id)}/failures?limit=${limit}`)).text()
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
  const end = lines.at(-1)?._tag === "End" ? lines.pop() : undefined
  return {
    failures: lines,
    isWhole: end?.isWhole === true,
    error: end === undefined ? "The connection was lost." : end.error?.message
  }
}

export const tell = async (id: string, what: "pause" | "resume" | "cancel"): Promise<void> => {
  await ask(`jobs/${encodeURIComponent(id)}/${what}`, { method: "POST" })
}

export const remove = async (id: string): Promise<void> => {
  await ask(`jobs/${encodeURIComponent(id)}`, { method: "DELETE" })
}

export const removeEnded = async (): Promise<number> =>
  (await (await ask("jobs?olderThan=0", { method: "DELETE" })).json()).generations
