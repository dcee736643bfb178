import { z } from 'zod'
import { dashboard } from '#events/dashboard.ts'
import { storageOverview } from '#events/overview/storageOverview.ts'
import { archivedTotals } from '#events/search/archived.ts'
import { unreadablePaths } from '#events/scans/calls.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { ageBuckets, detailedVolume, mostActiveVolumes, olderAge, unknownBucket } from '#events/storages.ts'
import { Problem } from '#server/platform/problem.ts'
import { storageId } from '../entries.ts'
import { first, indexingDate, limit, maxRows, named, tool } from '../tool.ts'

const ages = [...ageBuckets.map(({ key }) => key), olderAge, unknownBucket]

export const storageTools = [
  tool(
    'list_storages',
    'All storages: capacity, size of files, last scan, price, and whether a schedule scans them and an alert watches them.',
    { indexingDate, limit },
    async ({ limit, ...query }, { call, links }) => {
      const all = await call(storageOverview, { query })
      const rows = all.map(({ snapshot, ...state }) => ({
        ...state,
        ...(snapshot && { ...snapshot, points: undefined }),
      }))
      return first(rows, limit, links('/storages', query))
    },
  ),
  tool(
    'storage',
    'One storage on a date: capacity, files, folders that scans do not enter, whether access times are recorded, files by age, and what is archived.',
    { storage: named, indexingDate },
    async ({ storage, ...query }, context) => {
      const id = (await storageId(context, storage)) ?? 0
      const { elements } = await context.call(detailedVolume, { params: { id }, query: { ...query, size: 1 } })
      if (!elements[0]) throw new Problem(404, `The storage ${storage} has no snapshot on this date`)
      const { statistics, ...figures } = elements[0]
      const archived = await context.call(archivedTotals, { params: { id }, query }).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'bundle') return null
        throw error
      })
      const rows = ages.flatMap((age) => {
        const [modified, accessed] = [statistics.MODIFIED_DATE[age], statistics.ACCESS_DATE[age]]
        return modified || accessed ? [{ age, modified, accessed }] : []
      })
      return { figures: { ...figures, archived }, rows, link: context.links(`/volumes/${id}`, query) }
    },
  ),
  tool(
    'capacity_forecast',
    'Capacity of each storage and the days until it is full, with the range of 95 % confidence. Without a forecast, no trend is known.',
    { indexingDate, limit },
    async ({ limit, ...query }, { call, links }) =>
      first((await call(dashboard, { query })).storages, limit, links('/', query)),
  ),
  tool(
    'most_active_storages',
    'Storages whose size changed most over the last days, largest change first.',
    { days: z.int().min(1).max(36_500).default(30), indexingDate, limit },
    async ({ days: duration, limit, ...query }, { call, links }) =>
      first(await call(mostActiveVolumes, { query: { ...query, duration, size: maxRows } }), limit, links('/', query)),
  ),
  tool(
    'scans',
    'The newest scans with state, figures and reason of a failure. With the number of a scan, the paths that it could not read.',
    { scan: z.int().optional(), limit },
    async ({ scan, limit: size }, { call, links }) => {
      const link = links('/settings/jobs')
      if (scan === undefined) return first((await call(dashboard)).scans, size, link)
      const { elements, total } = await call(unreadablePaths, { params: { id: scan }, query: { size } })
      return { rows: elements, total, link }
    },
  ),
  tool(
    'snapshot_dates',
    'Days with a snapshot, newest first, with the number of storages scanned by then.',
    { limit },
    async ({ limit }, { call, links }) => {
      const newestFirst = (await call(snapshotDates)).sort((a, b) => (a.indexingDate < b.indexingDate ? 1 : -1))
      return first(newestFirst, limit, links('/'))
    },
  ),
]
