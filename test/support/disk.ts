/** Disks of their own, of some megabytes, which can be filled. That needs root, and a system that mounts tmpfs. */
import { execFileSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"

export interface Disk {
  readonly path: string
  /** Nothing more can be written from now on, until it is emptied. */
  readonly fill: () => void
  readonly empty: () => void
  readonly remove: () => void
}

export const make = (size: string): Disk => {
  const path = mkdtempSync(`${tmpdir()}/disk-`)
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "pipe" })
  const filler = `${path}/filler`
  return {
    path,
    fill: () => {
      const file = openSync(filler, "a")
      try {
        for (const bytes of [65_536, 1]) {
          try {
            for (;;) writeSync(file, Buffer.alloc(bytes))
          } catch {
            // It is full.
          }
        }
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => {
      // Drivers of databases close their files late.
      execFileSync("umount", ["--lazy", path])
      rmSync(path, { recursive: true })
    }
  }
}

const full = new PlatformError.SystemError({
  reason: "Unknown",
  module: "FileSystem",
  method: "write",
  description: "ENOSPC: no space left on device"
})

/** A file system whose files take no more than some bytes. */
export const withRoomFor = (fs: FileSystem.FileSystem, room: { left: number }): FileSystem.FileSystem => ({
  ...fs,
  open: (path, options) =>
    Effect.map(fs.open(path, options), (file) => ({
      ...file,
      sync: file.sync,
      writeAll: (bytes: Uint8Array) => {
        room.left -= bytes.length
        return room.left < 0 ? Effect.fail(full) : file.writeAll(bytes)
      }
    }))
})
