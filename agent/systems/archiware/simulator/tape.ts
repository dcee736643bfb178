import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder for the content of stored files, made when it is first used. */
export function newTape() {
  let folder: string | undefined
  return {
    folder: () => (folder ??= mkdtempSync(join(tmpdir(), 'simulated-tape-'))),
    remove: () => folder !== undefined && rmSync(folder, { recursive: true, force: true }),
  }
}
