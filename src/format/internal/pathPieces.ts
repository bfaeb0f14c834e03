import * as Option from "effect/Option"

/** The folder of a path, with the slash at its end; a path may have the backslashes of Windows. */
export const folderOf = (path: string): string => path.slice(0, path.length - nameOf(path).length)

/** The part behind the last slash. */
export const nameOf = (path: string): string => /[^/\\]*$/.exec(path)![0]

/** The name of a path without its ending, and the ending with its dot. */
export const stemOf = (path: string): { readonly stem: string; readonly ending: string } => {
  const name = nameOf(path)
  const ending = /^.+?(\.[^.]*)$/.exec(name)?.[1] ?? ""
  return { stem: name.slice(0, name.length - ending.length), ending }
}

const leftAgain = /(^|[/\\])(?!\.\.[/\\])[^/\\]+[/\\]\.\.(?:[/\\]|$)/

/** A path in a folder, without folders that are named `.` or left again. */
export const join = (folder: string, path: string): string => {
  const isOpen = folder === "" || path === "" || /[/\\]$/.test(folder)
  let joined = `${folder}${isOpen ? "" : "/"}${path}`
    .replace(/(?<=[^/\\])([/\\])(?:\.?[/\\])+/g, "$1")
    .replace(/^(?:\.[/\\]+)+/, "")
  while (leftAgain.test(joined)) joined = joined.replace(leftAgain, "$1")
  return joined
}

const decodeName = Option.liftThrowable(decodeURIComponent)

/** The bucket of an address, and the rest; of another path, all of it is the rest. */
export const splitAddress = (path: string): readonly [bucket: string, rest: string] => {
  const bucket = /^s3:\/\/[^/]*\/?/i.exec(path)?.[0] ?? ""
  return [bucket, path.slice(bucket.length)]
}

/** Where the output of a source is by default: beside it, or in the working directory if that can't be written. */
export const placeBeside = (path: string): readonly [bucket: string, rest: string] => {
  if (!/^https?:\/\//i.test(path)) return splitAddress(path)
  const name = nameOf(new URL(path).pathname)
  return ["", Option.getOrElse(decodeName(name), () => name).replaceAll(/[\\/]/g, "_")]
}
