/** Errors for the answers of a store of objects. */
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { proxyRefused, StorageError } from "../StorageError.js"
import * as xml from "./xml.js"

type Problem = Pick<StorageError, "detail" | "reason">

const regionProblem = (region: string | undefined): Problem => ({
  reason: "wrongRegion",
  detail:
    region === undefined
      ? "its bucket is in another region, or is reached by another endpoint: set AWS_REGION or AWS_ENDPOINT_URL"
      : `its bucket is in the region ${region}: set AWS_REGION=${region}`
})

const denied: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "the store does not know the access key: check AWS_ACCESS_KEY_ID and AWS_PROFILE",
  SignatureDoesNotMatch: "the store takes the secret key for a wrong one: check AWS_SECRET_ACCESS_KEY",
  ExpiredToken: "the session of the credentials has ended: get new ones",
  InvalidToken: "the session token is none: check AWS_SESSION_TOKEN",
  RequestTimeTooSkewed: "the clock of this machine is wrong: set it"
}

const byCode: Readonly<Record<string, Problem>> = {
  NoSuchBucket: { reason: "noBucket", detail: "there is no such bucket: check its name, and the endpoint" },
  NoSuchKey: { reason: "missing", detail: "there is no such object: check its key" },
  PreconditionFailed: { reason: "changed", detail: "it was changed since it was opened: run it again" },
  EntityTooLarge: { reason: "unsupported", detail: "it is larger than the store takes" }
}

const byStatus: Readonly<Record<number, Problem>> = {
  404: { reason: "missing", detail: "there is no such object: check its key" },
  412: byCode.PreconditionFailed!,
  416: byCode.PreconditionFailed!
}

/** Errors of the store itself. Some come with the status of a success. */
const passing: ReadonlySet<string> = new Set([
  "InternalError",
  "SlowDown",
  "RequestTimeout",
  "ServiceUnavailable"
])

/** The problem in an answer that is no success. */
export const problemOf = (
  { headers, status }: Pick<HttpClientResponse.HttpClientResponse, "headers" | "status">,
  body: string
): Problem => {
  const error = xml.parse(body)
  const told = xml.textOf(error, "Code") ?? ""
  const code = /^[A-Za-z]{1,60}$/.test(told) ? told : ""
  const region = headers["x-amz-bucket-region"] ?? xml.textOf(error, "Region")
  if (status === 301 || status === 307 || code === "AuthorizationHeaderMalformed") {
    return regionProblem(region !== undefined && /^[a-z0-9-]{1,40}$/.test(region) ? region : undefined)
  }
  if (denied[code] !== undefined) return { reason: "denied", detail: denied[code] }
  if (status === 401 || status === 403) {
    return {
      reason: "denied",
      detail:
        "the credentials have no right to it: check its name, and the policies of the bucket and of the user"
    }
  }
  const known = byCode[code] ?? byStatus[status]
  if (known !== undefined) return known
  const what = `the store answers ${status}${code === "" ? "" : ` ${code}`}`
  return passing.has(code) || status === 429 || status === 408 || status >= 500
    ? { reason: "unavailable", detail: `${what}: try it again later` }
    : { reason: "unsupported", detail: `${what}: it may lack what is asked of it` }
}

/** The error of an answer. */
export const errorOf = (
  address: string,
  response: Pick<HttpClientResponse.HttpClientResponse, "headers" | "status">,
  body: string
): StorageError =>
  response.status === 407
    ? proxyRefused(address, response.status)
    : new StorageError({ address, ...problemOf(response, body) })
