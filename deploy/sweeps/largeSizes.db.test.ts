import { beforeAll, expect, test } from 'vitest'
import { maxFileSize, maxStoredBytes } from '#events/scans/entryLimits.ts'
import { noFilters } from '#events/search/filters.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { freezeSelection } from '#server/questions/selections/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { openAllCalls } from './testing/allCalls.ts'

const { platform, calls, admin } = await openAllCalls()
let volumeId: number

const largestObject = 2 ** 53 - 1
const facts = {
  size: largestObject,
  allocatedSize: largestObject,
  owner: 'ana',
  modified: 1_600_000_000,
  etag: 'a'.repeat(32),
}
const objects = Array.from({ length: 1_100 }, (_, i): File => ({ path: `/bucket/clip ${i}.mov`, ...facts }))
const sparse = [1, 2, 3].map((i): File => ({
  path: `/sparse/${i}.img`,
  ...facts,
  etag: '',
  size: maxFileSize,
  allocatedSize: maxFileSize,
}))

beforeAll(async () => {
  volumeId = await newVolume(platform, 'Large')
  const folder = (path: string): File => ({ path, isDirectory: true, size: 0 })
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [{ path: '', entries: [] }])
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-02' }, [
    { path: '', entries: [folder('/bucket'), folder('/sparse')] },
    { path: '/bucket', entries: objects },
    { path: '/sparse', entries: sparse },
  ])
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-03' }, [{ path: '', entries: [] }])
})

/** Numbers below -1, which stands for an unknown size, with their places. */
function negativesIn(value: unknown, place = ''): string[] {
  if (typeof value === 'number') return value < -1 ? [`${place}: ${value}`] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => negativesIn(each, `${place}.${key}`))
}

const required = { path: '/', directoryPath: '/bucket', by: 'owner', field: 'owner', indexingDate: '2026-01-02' }

test('no call answers with a negative sum, for any sizes', async () => {
  const answered: string[] = []
  const faults: string[] = []
  for (const { method, path } of calls.filter((call) => call.method === 'GET')) {
    const known = path.replace(':previousDate', '2026-01-01').replace(':part', 'files')
    const address = `/api${known.replace(/:\w+/g, String(volumeId))}`
    for (const query of [
      { ...required, volumeId, storageId: volumeId },
      { indexingDate: '2026-01-02', volumeId },
      { indexingDate: '2026-01-02' },
      required,
      {},
    ]) {
      const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
      const { status, body } = await admin(method, `${address}?${parameters}`)
      if (status >= 500) faults.push(`${path} ${status}: ${JSON.stringify(body)}`)
      if (status !== 200) continue
      answered.push(path)
      faults.push(...negativesIn(body).map((fault) => `${path}?${parameters} ${fault}`))
      break
    }
  }
  expect(faults).toEqual([])
  expect(answered.length).toBeGreaterThan(60)
})

test('searches and frozen selections have the whole sum, or the largest that their tables hold', async () => {
  const query = new URLSearchParams({ indexingDate: '2026-01-02', volumeId: String(volumeId) })
  const { body } = await admin('GET', `/api/files/search/sizes?${query}`)
  expect(body).toMatchObject({ size: 1_100 * largestObject + 3 * 2 ** 63, count: 1_103 })
  const selection = { filters: { ...noFilters, volumeId: [volumeId] }, isDirectory: false }
  const frozen = await freezeSelection(platform, { selection, at: '2026-01-02', by: system, scope: 'everything' })
  expect(frozen).toMatchObject({ files: 1_103, bytes: maxStoredBytes })
})
