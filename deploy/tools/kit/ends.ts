import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopSignals } from '#deploy/local/terminal.ts'

type End = () => Promise<unknown> | void
const ends: End[] = []
let ending: Promise<void> | undefined

/** Runs a function at the end of this process, also after a signal or an error, and after those that were added later. */
export function atEnd(end: End): void {
  if (ends.length === 0) {
    for (const signal of stopSignals) process.once(signal, () => exitAfterAll())
    process.once('uncaughtException', exitAfterAll)
  }
  ends.push(end)
}

function exitAfterAll(fault?: unknown): void {
  if (fault !== undefined) console.error(fault)
  void endAll().finally(() => process.exit(1))
}

/** Ends everything once. */
export const endAll = (): Promise<void> => (ending ??= runEnds())
export const isEnding = (): boolean => ending !== undefined

async function runEnds(): Promise<void> {
  for (const end of ends.toReversed())
    try {
      await end()
    } catch (error) {
      console.error(error)
    }
}

/** Creates a folder that is removed at the end. */
export function scratchFolder(kind = 'bench'): string {
  const folder = mkdtempSync(join(tmpdir(), `dataintell-${kind}-`))
  // Postgres may run as another user, which must be able to enter its folder.
  chmodSync(folder, 0o711)
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
