import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TagPayload } from '#events/jobs/payloads.ts'
import { SearchFilters } from '#events/search/filters.ts'
import type { TagChange } from '#events/tags.ts'
import { listEntries } from '#server/content/entries/listEntries.ts'
import { selectEntries } from '#server/content/entries/selectEntries.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { recoverLeftovers } from '#server/content/snapshots/index.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { changeTagsOf } from './changeTagsOf.ts'
import { tagResults } from './tagResults.ts'

const platform = await testPlatform()
/** Each test has its own days, because only the newest one can be changed. */
let lastDay = 0
const nextDay = () => new Date(Date.UTC(2026, 0, ++lastDay)).toISOString().slice(0, 10)

/** A storage with one file that has the tag `x`, and the scan that will find it renamed. */
async function tagged(name: string) {
  const volumeId = await newVolume(platform, name)
  const scan = (indexingDate: string, path: string, reached?: (step: string) => Promise<void>) =>
    scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries: [{ path, inode: 5 }] }], reached)
  const change = (path: string, { add = [], remove = [] }: Partial<TagChange>) =>
    changeTagsOf(platform, [{ volumeId, path, isDirectory: false }], {
      decide: () => ({ add, remove }),
      by: system,
      scope: 'everything',
    })
  const [before, after] = [nextDay(), nextDay()]
  await scan(before, '/old')
  await change('/old', { add: ['x'] })
  return {
    change,
    scanRenamed: (switched: () => Promise<unknown>) =>
      scan(after, '/new', async (step) => void (step === 'switched' && (await switched()))),
    /** All files of the storage, or those that have a tag. */
    tagAll: (tag: string, { remove = false, having = '' } = {}) => {
      const filters = SearchFilters.parse({ volumeId, tag: having })
      return tagResults(
        platform,
        TagPayload.parse({ tags: [tag], remove, isDirectory: false, filters }),
        async () => true,
      )
    },
    /** The files and their tags, before and after they were renamed. */
    listed: () => Promise.all([before, after].map((day) => tagsOn(volumeId, day))),
  }
}

async function tagsOn(volumeId: number, day: string): Promise<string[][]> {
  const selection = await selectEntries(
    platform,
    await snapshotOrEmpty(platform.db, 'everything', day),
    SearchFilters.parse({ volumeId }),
    'files',
  )
  const order = { sort: 'path', direction: 'asc' } as const
  const { elements } = await listEntries(platform.clickhouse, selection, { page: 1, size: 10 }, order)
  return elements.map(({ path, customTag }) => [path, ...customTag])
}

/** Starts work between the switch of a commit and the moving of tags, and gives it a second to end there. */
function meeting<T>(begin: () => Promise<T>) {
  const begun = Promise.withResolvers<T>()
  return {
    begin: () => {
      begin().then(begun.resolve, begun.reject)
      return Promise.race([begun.promise, pause(1_000)])
    },
    ended: begun.promise,
  }
}
const killed = () => Promise.reject(new Error('The server was killed'))

test('a job takes a tag of a recently moved entry, too', async () => {
  const { scanRenamed, tagAll, listed } = await tagged('taken by a job')
  const job = meeting(() => tagAll('x', { remove: true }))
  await scanRenamed(job.begin)
  expect(await job.ended).toEqual({ tagged: 1, toTag: 1 })
  expect(await listed()).toEqual([[['/old', 'x']], [['/new']]])
})

test('a job that searches by a tag finds what just moved', async () => {
  const { scanRenamed, tagAll, listed } = await tagged('found by a job')
  const job = meeting(() => tagAll('y', { having: 'x' }))
  await scanRenamed(job.begin)
  expect(await job.ended).toEqual({ tagged: 1, toTag: 1 })
  expect(await listed()).toEqual([[['/old', 'x']], [['/new', 'x', 'y']]])
})

test('a change takes a tag of a recently moved entry, too', async () => {
  const { scanRenamed, change, listed } = await tagged('taken at once')
  const taking = meeting(() => change('/new', { remove: ['x'] }))
  await scanRenamed(taking.begin)
  expect(await taking.ended).toBe(1)
  expect(await listed()).toEqual([[['/old', 'x']], [['/new']]])
})

test('a change takes a tag of an entry that had moved when the server was killed', async () => {
  const { scanRenamed, change, listed } = await tagged('taken later')
  await expect(scanRenamed(killed)).rejects.toThrow('killed')
  expect(await change('/new', { remove: ['x'] })).toBe(1)
  await recoverLeftovers(platform)
  expect(await listed()).toEqual([[['/old', 'x']], [['/new']]])
})
