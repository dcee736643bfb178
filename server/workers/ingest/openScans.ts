import type { Db } from '#server/platform/postgres/postgres.ts'

export type OpenScan = { agentId: number; agentRun: string | null; attempt: number; open: boolean }
type ScanLookup = Promise<OpenScan | undefined>

/** Milliseconds for which a scan's state is cached. A cancelled scan accepts batches for at most this long. */
const remembered = 500

/** Caches lookups of scans, so that many batches of one scan cause one query. */
export function openScans(db: Db): { find(scanId: number): ScanLookup; forget(scanId: number): void } {
  const known = new Map<number, { until: number; found: ScanLookup }>()
  const find = (scanId: number): ScanLookup => {
    const now = Date.now()
    const before = known.get(scanId)
    if (before && before.until > now) return before.found
    for (const [id, { until }] of known) if (until <= now) known.delete(id)
    const found = findScan(db, scanId)
    known.set(scanId, { until: now + remembered, found })
    found.catch(() => known.delete(scanId))
    return found
  }
  return { find, forget: (scanId) => void known.delete(scanId) }
}

async function findScan(db: Db, scanId: number): ScanLookup {
  const scan = await db
    .selectFrom('scans')
    .select(['agentId', 'agentRun', 'attempt', 'state'])
    .where('id', '=', scanId)
    .executeTakeFirst()
  return scan && { ...scan, open: scan.state === 'waiting' || scan.state === 'running' }
}
