import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProcess, isAlive, type Known } from './processes.ts'

/**
 * Takes the data folder for this process. The engine of ClickHouse allows one process a folder, so a second server is
 * refused with a clear sentence; the lock of a killed one is no hindrance. Returns what gives it back.
 */
export function lockDataFolder(data: string): () => void {
  const file = join(data, 'server.lock')
  for (let tries = 0; tries < 3; tries++) {
    if (tryToLock(file)) return () => rmSync(file, { force: true })
    const holder = readHolder(file)
    if (holder && isAlive(holder)) {
      throw new Error(
        `DataIntell runs on ${data} already (process ${holder.pid}). Stop it first, or set DATAINTELL_DATA.`,
      )
    }
    rmSync(file, { force: true })
  }
  throw new Error(`The lock ${file} cannot be taken`)
}

/** Whether a server runs on the data folder. */
export function isRunning(data: string): boolean {
  const holder = readHolder(join(data, 'server.lock'))
  return holder !== undefined && isAlive(holder)
}

/** Written beside and linked to its place, so that nobody ever reads a lock without its holder. */
function tryToLock(file: string): boolean {
  const own = `${file}.${process.pid}`
  writeFileSync(own, JSON.stringify(findProcess(process.pid)), { mode: 0o600 })
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own)
  }
}

function readHolder(file: string): Known | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Known
  } catch {
    return undefined
  }
}
