/** A file system whose calls are disturbed. */
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { caller, type Disturbance, type Fault, statOf } from "./disturbance.js"

type Done = Effect.Effect<unknown, PlatformError.PlatformError, never>

type Args = ReadonlyArray<never>

/** What change something, so that an answer can be lost. */
const changes = new Set([
  "chmod",
  "copyFile",
  "link",
  "makeDirectory",
  "open",
  "remove",
  "rename",
  "truncate",
  "utimes",
  "write",
  "writeAll",
  "writeFile",
  "writeFileString"
])

const codes: Readonly<Record<string, string>> = {
  access: "EACCES",
  copyFile: "ENOSPC",
  makeDirectory: "ENOSPC",
  open: "EMFILE",
  sync: "EIO",
  truncate: "ENOSPC",
  write: "ENOSPC",
  writeAll: "ENOSPC",
  writeFile: "ENOSPC",
  writeFileString: "ENOSPC"
}

const refused = (method: string, path: unknown, code = codes[method] ?? "EIO") =>
  new PlatformError.SystemError({
    module: "FileSystem",
    method,
    reason: code === "EACCES" ? "PermissionDenied" : code === "ENOENT" ? "NotFound" : "Unknown",
    pathOrDescriptor: typeof path === "string" ? path : 0,
    description: `${code}: disturbed, ${method}`,
    cause: Object.assign(new Error(code), { code })
  })

const half = (bytes: Uint8Array) => bytes.subarray(0, Math.ceil(bytes.length / 2))

/** The same with half of the bytes, of what writes or reads some. */
const halved = (target: object, method: string, args: Args): Done | undefined => {
  const run = (...changed: ReadonlyArray<unknown>) =>
    (Reflect.get(target, method) as (...args: ReadonlyArray<unknown>) => Done).apply(target, [...changed])
  const [first, second, ...rest] = args as ReadonlyArray<unknown>
  switch (method) {
    case "read":
    case "writeAll":
      return run(half(first as Uint8Array))
    case "readAlloc":
      return run(Math.ceil(Number(first) / 2))
    case "writeFileString":
      return run(first, (second as string).slice(0, (second as string).length / 2), ...rest)
    default:
      return undefined
  }
}

const disturbed = (
  disturbance: Disturbance,
  target: object,
  method: string,
  args: Args,
  real: Done
): Done => {
  const site = `${caller()} ${method}`
  const part = halved(target, method, args)
  const isRead = method.startsWith("read")
  const possible: ReadonlyArray<Fault> =
    method === "seek"
      ? ["freezes"]
      : [
          "fails",
          ...(part === undefined ? [] : (["halves"] as const)),
          ...(changes.has(method) ? (["cuts", "kills"] as const) : []),
          "freezes"
        ]
  const failed = Effect.suspend(() => Effect.fail(refused(method, args[0])))
  return Effect.suspend((): Done => {
    switch (disturbance.enter(site, possible)) {
      case undefined:
        return real
      case "gone":
      case "fails":
        return method === "seek" ? Effect.void : failed
      case "halves":
        return isRead ? part! : Effect.zipRight(part!, failed)
      case "cuts":
        return Effect.zipRight(Effect.scoped(real), failed)
      case "freezes":
        // That of Node can't be interrupted, or its file would never be closed.
        return method === "open" ? Effect.uninterruptible(disturbance.freeze(real)) : disturbance.freeze(real)
      case "kills":
        return Effect.zipRight(
          Effect.tap(isRead || part === undefined ? Effect.void : part, disturbance.kill),
          failed
        )
    }
  })
}

const stat = /^\/proc\/(self|\d+)\/stat$/

/** What the kernel says of the processes, for which runs pass. */
const processFile = (disturbance: Disturbance, path: unknown): Done | undefined => {
  const [, pid] = stat.exec(String(path)) ?? []
  if (pid === undefined) return
  const found = pid === "self" ? disturbance.stat : statOf(Number(pid))
  return found === undefined ? Effect.fail(refused("readFileString", path, "ENOENT")) : Effect.succeed(found)
}

/** All methods of a file system or of a file; those of a file that are no functions are effects. */
const wrap = <T extends object>(disturbance: Disturbance, target: T): T =>
  new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof key !== "string") return value
      if (Effect.isEffect(value)) return disturbed(disturbance, target, key, [], value as Done)
      if (typeof value !== "function") return value
      return (...args: Args) => {
        const done: Done = processFile(disturbance, args[0]) ?? value.apply(target, args)
        const real =
          key === "open" ? Effect.map(done, (file) => wrap(disturbance, file as FileSystem.File)) : done
        return disturbed(disturbance, target, key, args, real)
      }
    }
  })

export const layer = (disturbance: Disturbance): Layer.Layer<FileSystem.FileSystem> =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) => wrap(disturbance, fs))
  ).pipe(Layer.provide(NodeFileSystem.layer))
