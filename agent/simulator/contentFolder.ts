import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Temporary folder for the content of stored files, made when it is first used. */
export function newContentFolder(prefix: string) {
  let folder: string | undefined
  return {
    folder: () => (folder ??= mkdtempSync(join(tmpdir(), prefix))),
    remove: () => folder !== undefined && rmSync(folder, { recursive: true, force: true }),
  }
}
