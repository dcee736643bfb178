import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { signInOf } from '#deploy/local/stores/natsServer.ts'
import { visitLocalPostgres } from '#deploy/local/stores/index.ts'
import { openNats } from '#server/platform/nats/nats.ts'

/** An address on which nothing listens, for every external system that the product knows. */
const nowhere = 'http://127.0.0.1:9'
/** Environment of a product that reaches no other machine. */
export const offline: NodeJS.ProcessEnv = {
  ICONIK_URL: nowhere,
  SODA_URL: nowhere,
  DROPBOX_API: nowhere,
  MAIL_TOKEN_URL: nowhere,
}

/** A line of the server's log. */
export type LogLine = { level: number; msg: string; text: string }

const errorLevel = 50

/** Reads the lines that were appended to the server's log since the last call. */
export function logReader(data: string): () => LogLine[] {
  const read = new Map<string, number>()
  return () =>
    globSync(join(data, 'logs/*.log'))
      .sort()
      .flatMap((file) => {
        // An old file may have been removed meanwhile.
        const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
        const from = read.get(file) ?? 0
        // The last line may not be complete yet.
        const end = bytes.lastIndexOf(10) + 1
        read.set(file, end)
        return bytes.subarray(from, end).toString().split('\n').flatMap(lineOf)
      })
}

function lineOf(text: string): LogLine[] {
  if (text === '') return []
  try {
    const { level, msg } = JSON.parse(text) as LogLine
    return [{ level, msg, text: text.slice(0, 2_000) }]
  } catch {
    return [{ level: errorLevel, msg: 'a line of the log is not JSON', text: text.slice(0, 500) }]
  }
}

export const isError = ({ level }: LogLine): boolean => level >= errorLevel

/** Bytes of all files in a folder that exist at this moment. */
export const bytesIn = (folder: string): number =>
  globSync(join(folder, '**')).reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Status of the health check, or undefined if nothing responds in time. */
export async function healthOf(address: string, timeoutMs = 10_000): Promise<number | undefined> {
  try {
    const response = await fetch(`${address}/actuator/health`, { signal: AbortSignal.timeout(timeoutMs) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

/** Waits until a condition holds; false if it doesn't in time. A condition that throws doesn't hold. */
export async function eventually(condition: () => Promise<boolean> | boolean, timeoutMs: number, everyMs = 250) {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await pause(everyMs)) {
    const holds = await Promise.resolve()
      .then(condition)
      .catch(() => false)
    if (holds) return true
  }
  return false
}

/** Opens the Postgres of a running product. */
export async function openDatabase(data: string) {
  const visit = await visitLocalPostgres(data, console.error)
  if (!visit) throw new Error(`There is no product in ${data}`)
  const db = openPostgres(visit.url, { connections: 2 })
  return {
    db,
    async close() {
      await db.destroy()
      await visit.leave()
    },
  }
}

/** Connects to the NATS of a running product as its server. */
export const openMessages = (data: string) => {
  const { url, seed } = signInOf(data)
  return openNats(url, { seed })
}
