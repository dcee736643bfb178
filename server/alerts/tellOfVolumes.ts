import { tellUser } from '#server/notifications/index.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import { spokenSize } from './spokenSize.ts'

/** The kinds of storages whose space can be watched. */
export const alertTypes = ['crawl.files', 'NetworkVolume', 'DellPowerScale'] as const

type Alert = {
  name: string
  userId: number
  /** Percent of a storage's capacity. */
  threshold: number
  volumeIds: number[]
  /** What is told under a key once is told. */
  key: string
}
type Told = { outcome: 'notified' | 'nothing' | 'failed'; reason?: string }

/** Tells a user which of the storages are as full as the threshold or fuller, as their newest scans found them. */
export async function tellOfVolumes(trx: Trx, alert: Alert): Promise<Told> {
  const volumes = await spaceOf(trx, alert.volumeIds)
  const full = volumes.filter(({ used }) => used !== undefined && used >= alert.threshold)
  const gone = alert.volumeIds.filter((id) => !volumes.some((volume) => volume.id === id))
  const unsaid = unsaidOf(volumes, gone)
  if (full.length === 0) return unsaid.length > 0 ? { outcome: 'nothing', reason: sentence(unsaid) } : nothing
  const who = await trx.selectFrom('users').select('email').where('id', '=', alert.userId).executeTakeFirst()
  const found = `${spoken(full.map(({ name, used }) => `${name} (${percent(used)})`))} reached ${alert.threshold} %`
  if (!who?.email) return { outcome: 'failed', reason: sentence(['the user has no email address', found, ...unsaid]) }
  await tellUser(trx, alert.userId, mailOf(alert, full, unsaid))
  return { outcome: 'notified', reason: sentence([found, ...unsaid]) }
}

const nothing: Told = { outcome: 'nothing' }

type Space = { id: number; name: string; day: string | null; total: number | null; used: number | undefined }

/** What the newest scan of each storage that is set up found; `used` in percent, where its capacity is known. */
async function spaceOf(trx: Trx, ids: number[]): Promise<Space[]> {
  const rows = await trx
    .selectFrom('volumes')
    .leftJoin('scans', 'scans.id', 'volumes.committedScan')
    .select(['volumes.id', 'volumes.name', 'scans.indexingDate as day'])
    .select(['scans.capacityTotal as total', 'scans.capacityUsed as usedBytes'])
    .where('volumes.id', 'in', [0, ...ids])
    .where('volumes.type', 'in', alertTypes)
    .where('volumes.deletedAt', 'is', null)
    .orderBy('volumes.name')
    .orderBy('volumes.id')
    .execute()
  return rows.map(({ usedBytes, ...row }) => ({
    ...row,
    used: row.total && usedBytes !== null ? (usedBytes / row.total) * 100 : undefined,
  }))
}

function unsaidOf(volumes: Space[], gone: number[]): string[] {
  const unknown = volumes.filter(({ used }) => used === undefined).map(({ name }) => name)
  return [
    ...(unknown.length > 0 ? [`the capacity of ${spoken(unknown)} is not known`] : []),
    ...(gone.length > 0 ? [`${spoken(gone.map(String))} not set up any more`] : []),
  ]
}

function mailOf({ name, threshold, key }: Alert, full: Space[], unsaid: string[]) {
  const lines = full.map(
    (volume) =>
      `- ${volume.name}: ${percent(volume.used)} of ${spokenSize(volume.total ?? 0)}, scanned on ${volume.day}`,
  )
  const what = full.length === 1 ? '1 storage has' : `${full.length} storages have`
  const rest = unsaid.length > 0 ? `\n\n${sentence(unsaid)}.` : ''
  return {
    key,
    subject: `${name}: ${what} reached ${threshold} %`,
    text: `${what} reached ${threshold} % of the capacity:\n\n${lines.join('\n')}${rest}\n`,
  }
}

const percent = (used = 0): string => `${Math.floor(used * 10) / 10} %`

function sentence(parts: string[]): string {
  const text = parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** As many names as one reads. */
export function spoken(names: string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}
