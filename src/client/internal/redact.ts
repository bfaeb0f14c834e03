import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Arr from "effect/Array"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

const maxLength = 300

const parseObject = (json: string): { readonly [key: string]: unknown } =>
  Option.liftThrowable(JSON.parse)(json).pipe(
    Option.filter(Predicate.isReadonlyRecord),
    Option.getOrElse(() => ({}))
  )

/** The parts of a request that an error must not show: the keys and all text of users. In lower case. */
const secretsOf = (request: HttpClientRequest.HttpClientRequest): ReadonlyArray<string> => {
  const body =
    request.body._tag === "Uint8Array" && request.body.contentType === "application/json"
      ? parseObject(new TextDecoder().decode(request.body.body))
      : {}
  const phrases = Arr.ensure(body.dictionaries ?? body)
    .filter(Predicate.isReadonlyRecord)
    .flatMap(({ entries }) => (Predicate.isString(entries) ? entries.split(/[\t\n]/) : []))
  const instructions = Arr.ensure(body.custom_instructions ?? body)
  return [
    body.text,
    body.context,
    instructions.map((each) => (Predicate.isReadonlyRecord(each) ? each.prompt : each)),
    phrases,
    body.key_id,
    body.document_key,
    UrlParams.getAll(request.urlParams, "token"),
    request.headers.authorization?.split(" ")[1]
  ]
    .flat()
    .filter(Predicate.isString)
    .map((secret) => secret.toLowerCase())
}

/** A message that shares so many characters with a secret repeats it, whole or shortened, escaped or not. */
const sharedRun = 12

const repeats = (message: string, secrets: ReadonlyArray<string>): boolean => {
  const lower = message.toLowerCase()
  const hasShortSecret = secrets.some(
    (secret) =>
      secret.length < sharedRun && /\S{3}|[^\x00-\x7f]/.test(secret) && lower.includes(secret.trim())
  )
  const all = secrets.join("\n")
  for (let i = 0; !hasShortSecret && i + sharedRun <= lower.length; i++) {
    if (all.includes(lower.slice(i, i + sharedRun))) return true
  }
  return hasShortSecret
}

/** A message of the service, shortened; withheld if it repeats secrets of the request. */
export const message = (request: HttpClientRequest.HttpClientRequest, full: string): string => {
  const short = full.length > maxLength ? `${full.slice(0, maxLength)}…` : full
  return repeats(short, secretsOf(request)) ? "(withheld, since it repeats parts of the request)" : short
}

/** The message in the body of an error response. Only JSON has one: an HTML page of a proxy tells nothing. */
export const bodyMessage = (
  request: HttpClientRequest.HttpClientRequest,
  body: string
): string | undefined => {
  const { detail, message: title } = parseObject(body)
  const full = [title, detail].filter((part) => Predicate.isString(part) && part !== "").join(": ")
  return full === "" ? undefined : message(request, full)
}
