import type { History } from '#server/content/snapshots/oracle/history.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Tag } from '#server/questions/search/oracle/known.ts'
import type { LimitedScope } from '#server/platform/callers/scope.ts'
import type { asSeenBy, newLimitedUser } from './limitedHistory.ts'

type Query = Record<string, string | string[]>
type Ask = Awaited<ReturnType<typeof newLimitedUser>>['ask']
/** A limited user, with what a plain loop over the visible entries says. */
export type LimitedCase = ReturnType<typeof asSeenBy> & {
  platform: Platform
  scope: LimitedScope
  ask: Ask
  random: Random
  dates: string[]
  whole: History
  tags: Tag[]
  scanOf: (date: string, volumeId: number) => number
  fileIds: Map<string, string>
  /** Hashes of copies, by `identity`. */
  hashes: Map<string, string>
  deletedDays: number
}

export const address = (path: string, query: Query) => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) for (const each of [value].flat()) search.append(key, each)
  return `/api${path}?${search}`
}
export async function answerOf<T>({ ask }: LimitedCase, path: string, query: Query, criteria?: object): Promise<T> {
  const { status, body, text } = await ask(criteria ? 'POST' : 'GET', address(path, query), criteria)
  if (status !== 200) throw new Error(`${status} for ${address(path, query)} ${JSON.stringify(criteria)}: ${text}`)
  return body
}

export const pathOf = ({ parentPath, name }: Row) => parentPath + name || '/'
export const rowsOn = ({ dates }: History, date: string, volumeId: number): Row[] => [
  ...(dates
    .get(date)
    ?.find((state) => state.volumeId === volumeId)
    ?.rows.values() ?? []),
]
export const inPath = (path: string) => (path === '/' ? '/' : `${path}/`)

/** A folder that some date has, visible or not, of a volume. */
export function anyFolder({ random, whole, dates }: LimitedCase) {
  const { volumeId, rows } = random.pick(whole.dates.get(random.pick(dates)) ?? [])
  const folder = random.pick([...rows.values()].filter(({ isDirectory }) => isDirectory))
  return { volumeId, path: random.chance(0.2) ? '/' : pathOf(folder) }
}
export const twoDates = ({ random, dates }: LimitedCase) =>
  [random.pick(dates), random.pick(dates)].sort() as [string, string]
