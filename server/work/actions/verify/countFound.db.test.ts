import { expect, test } from 'vitest'
import type { FileOutcome } from '#events/actions/files.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { freezeSelection } from '#server/questions/selections/index.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { storeOutcomes } from '../kit/files.ts'
import { countAtTarget, countInStorages } from './countFound.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform

const newVolume = async (name: string, type: string, path: string) =>
  (await db.insertInto('volumes').values({ name, path, type }).returning('id').executeTakeFirstOrThrow()).id
const scan = (volumeId: number, indexingDate: string, ...entries: File[]) =>
  scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries }])
const file = (name: string, size = 10, modified = 1_700_000_000): File => ({
  path: `/${name}`,
  size,
  modified,
  inode: name.charCodeAt(0),
})

test('files that an action is done with are counted as the newest scans show them', async () => {
  const films = await newVolume('Films', 'crawl.files', '/mnt/films')
  const index = await newVolume('Tapes', 'Archiware', 'p5://Tapes/mnt')
  const names = ['a', 'b', 'c', 'd', 'e']
  await scan(films, '2026-01-01', ...names.map((name) => file(name)))
  await scan(index, '2026-01-01')
  const { id: selection } = await freezeSelection(platform, {
    selection: { entries: [{ volumeId: films, path: '/', isDirectory: true }] },
    by: system,
    scope: 'everything',
    expandFolders: true,
    plan: () => ({ place: sql`concat('/mnt/films', path)` }),
  })
  const task = { selection, part: 0 }
  const done = (...positions: number[]) =>
    positions.map((position): FileOutcome => ({ position, state: 'done', reference: '', reason: '' }))
  const failed: FileOutcome = { position: 5, state: 'failed', reference: '', reason: 'It is locked' }
  const outcomes = [...done(1, 2, 3, 4), failed]
  await storeOutcomes(clickhouse, task, { taskId: 1, attempt: 1, sequence: 1, outcomes })
  await scan(films, '2026-01-02', file('a'), file('b', 11), file('e'))
  await scanFolders(platform, { volumeId: index, indexingDate: '2026-01-02' }, [
    { path: '', entries: [{ path: '/films', isDirectory: true, inode: 1 }] },
    {
      path: '/films',
      entries: [file('films/a'), file('films/b', 10, 1_700_000_002), file('films/c', 10, 1_700_000_003)],
    },
  ])
  const snapshot = (await snapshotAt(db, 'everything'))!
  expect(await countInStorages(clickhouse, snapshot, task, [films])).toEqual([
    { volumeId: films, there: 1, changed: 1, gone: 2, goneBytes: 20 },
  ])
  expect(await countInStorages(clickhouse, snapshot, task, [])).toEqual([])
  const at = (target: string, keepsTimes: boolean) =>
    countAtTarget(clickhouse, snapshot, task, { folders: [{ volumeId: index, folder: '/', target }], keepsTimes })
  expect(await at('/mnt', true)).toEqual({ arrived: 2, changed: 1, missing: 1 })
  expect(await at('/mnt', false)).toEqual({ arrived: 3, changed: 0, missing: 1 })
  expect(await at('/other', true)).toBe(null)
})
