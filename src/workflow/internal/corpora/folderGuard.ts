/** Folders that jobs may use: by the names of paths when a job is submitted, and by where links lead when a worker reads and writes. */
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { realPath } from "../../../internal/files.js"
import type * as JobSource from "../../../job/JobSource.js"
import type * as Corpus from "../../Corpus.js"

/** A backslash is a part of a name where paths begin with a slash. */
const namesOf = (path: string) =>
  path.split(path.startsWith("/") ? "/" : /[/\\]/).filter((name) => name !== "")

/** True if an absolute path names an entry of a folder, and can name nothing else. */
export const isIn = (folder: string, path: string): boolean => {
  const [outer, inner] = [namesOf(folder), namesOf(path)]
  return (
    /^(\/|\\|[A-Za-z]:)/.test(path) &&
    !inner.includes("..") &&
    inner.length > outer.length &&
    outer.every((name, index) => name === inner[index])
  )
}

/** The same of a folder, which may be that folder itself. */
export const isSameOrIn = (folder: string, path: string): boolean => isIn(folder, `${path}/.`)

/**
 * A file system for jobs that may use some folders: a path in them has to stay in them. Other paths are those of the
 * program, as jobs were refused that name any.
 */
const confined = (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  folders: ReadonlyArray<string>
): FileSystem.FileSystem => {
  const check = (method: string, name: string) =>
    folders.some((folder) => isSameOrIn(folder, name))
      ? Effect.gen(function* () {
          const real = yield* realPath(fs, path, name)
          const allowed = yield* Effect.forEach(folders, (folder) => realPath(fs, path, folder))
          if (allowed.some((folder) => isSameOrIn(folder, real))) return
          return yield* new PlatformError.SystemError({
            module: "FileSystem",
            method,
            reason: "PermissionDenied",
            pathOrDescriptor: name,
            description: "a link leads out of the folders that the workers may use"
          })
        })
      : Effect.void
  const one =
    <B extends ReadonlyArray<unknown>, A>(
      method: string,
      use: (name: string, ...rest: B) => Effect.Effect<A, PlatformError.PlatformError>
    ) =>
    (name: string, ...rest: B) =>
      Effect.zipRight(check(method, name), use(name, ...rest))
  const two =
    <B extends ReadonlyArray<unknown>, A>(
      method: string,
      use: (from: string, to: string, ...rest: B) => Effect.Effect<A, PlatformError.PlatformError>
    ) =>
    (from: string, to: string, ...rest: B) =>
      Effect.zipRight(Effect.zipRight(check(method, from), check(method, to)), use(from, to, ...rest))
  return FileSystem.make({
    ...fs,
    access: one("access", fs.access),
    chmod: one("chmod", fs.chmod),
    chown: one("chown", fs.chown),
    copy: two("copy", fs.copy),
    copyFile: two("copyFile", fs.copyFile),
    link: two("link", fs.link),
    makeDirectory: one("makeDirectory", fs.makeDirectory),
    open: (name, options) => Effect.zipRight(check("open", name), fs.open(name, options)),
    readDirectory: one("readDirectory", fs.readDirectory),
    readFile: one("readFile", fs.readFile),
    realPath: one("realPath", fs.realPath),
    remove: one("remove", fs.remove),
    rename: two("rename", fs.rename),
    stat: one("stat", fs.stat),
    symlink: two("symlink", fs.symlink),
    truncate: one("truncate", fs.truncate),
    utimes: one("utimes", fs.utimes),
    watch: (name, options) => Stream.unwrap(Effect.as(check("watch", name), fs.watch(name, options))),
    writeFile: one("writeFile", fs.writeFile)
  })
}

/** A source that follows no link out of the folders. */
export const source = <E, R>(
  { slice, slices, source, ...rest }: Corpus.Source<E, R>,
  folders: ReadonlyArray<string>
): Corpus.Source<E, R | FileSystem.FileSystem | Path.Path> => {
  const own = Effect.zipWith(FileSystem.FileSystem, Path.Path, (fs, path) => confined(fs, path, folders))
  const confine = Effect.provideServiceEffect(FileSystem.FileSystem, own)
  const confinedSource = (
    source: JobSource.JobSource<E, R>
  ): JobSource.JobSource<E, R | FileSystem.FileSystem | Path.Path> => {
    const { check, estimate, forecast, optionsFrom, selection, translate } = source
    return {
      ...source,
      optionsFrom: optionsFrom && ((options) => confine(optionsFrom(options))),
      check: check && ((targets, hasStore) => confine(check(targets, hasStore))),
      selection: selection && confine(selection),
      translate: (translations) => confine(translate(translations)),
      forecast: (forecasting) => confine(forecast(forecasting)),
      estimate: estimate && ((forecasting) => confine(estimate(forecasting)))
    }
  }
  return {
    ...rest,
    source: confinedSource(source),
    slices: slices && ((texts) => Stream.provideServiceEffect(slices(texts), FileSystem.FileSystem, own)),
    slice: slice && ((reference) => confinedSource(slice(reference)))
  }
}
