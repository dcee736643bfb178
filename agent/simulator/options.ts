import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Tls } from './listen.ts'
import type { Host, RecordedRequest } from './simulate.ts'

/** Options of every simulator that has a simulated clock. */
export type SimulatorOptions = {
  /** Port of `url`, or 0 for any. */
  port?: number
  tls?: Tls
  /** Existing folder that keeps the content of stored files. By default, they are in a temporary one. */
  folder?: string
  /** Time of the clock at the start, and its speed; see `Clock`. */
  clock?: { start?: number; speed?: number }
  onAnswer?: (request: RecordedRequest) => void
}

/** A host without TLS, and one with it if there is a certificate. */
export function plainAndSecure({ port = 0, tls }: SimulatorOptions, basePath = '') {
  const secure: Host | undefined = tls && { tls, basePath }
  return { plain: { port, basePath }, secure }
}

/** Folder for the content of stored files: one that is kept, or a temporary one that is made when it is first used. */
export function newContentFolder(prefix: string, kept?: string) {
  let folder = kept
  const made = () => (folder ??= mkdtempSync(join(tmpdir(), prefix)))
  return {
    folder: made,
    /** Keeps the content of a file. Returns the path of the copy. */
    keep(file: string): string {
      const copy = join(made(), randomUUID())
      copyFileSync(file, copy, constants.COPYFILE_FICLONE)
      return copy
    },
    remove: () => folder !== kept && folder !== undefined && rmSync(folder, { recursive: true, force: true }),
  }
}
export type ContentFolder = ReturnType<typeof newContentFolder>

type FileContent = { content: string | undefined; size: number; modified: number }

/** Writes a file with the content of a copy, or else with zeros. The time is in seconds since 1970. */
export function writeContent(file: string, { content, size, modified }: FileContent): void {
  mkdirSync(dirname(file), { recursive: true })
  if (content === undefined) {
    writeFileSync(file, '')
    truncateSync(file, size)
  } else copyFileSync(content, file)
  utimesSync(file, modified, modified)
}
