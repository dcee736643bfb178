import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tls } from './listen.ts'
import type { Host, RecordedRequest } from './simulate.ts'

/** Options of every simulator that has a simulated clock. */
export type SimulatorOptions = {
  /** Port of `url`, or 0 for any. */
  port?: number
  tls?: Tls
  /** Time of the clock at the start, and its speed; see `Clock`. */
  clock?: { start?: number; speed?: number }
  onAnswer?: (request: RecordedRequest) => void
}

/** A host without TLS, and one with it if there is a certificate. */
export function plainAndSecure({ port = 0, tls }: SimulatorOptions, basePath = '') {
  const secure: Host | undefined = tls && { tls, basePath }
  return { plain: { port, basePath }, secure }
}

/** Temporary folder for the content of stored files, made when it is first used. */
export function newContentFolder(prefix: string) {
  let folder: string | undefined
  return {
    folder: () => (folder ??= mkdtempSync(join(tmpdir(), prefix))),
    remove: () => folder !== undefined && rmSync(folder, { recursive: true, force: true }),
  }
}
