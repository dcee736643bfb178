import { expect, test } from 'vitest'
import type { RulePreview } from '#events/scans/rulePreview.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { ruleRoutes } from './previewRules.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, ruleRoutes(platform)), await testSession(platform.db, ['ROLE_ADMIN']))

const preview = async (volumeId: number, kind: 'ignored' | 'foldersOnly', ...rules: string[]): Promise<RulePreview> =>
  (await ask('POST', '/api/v1/pathRules/preview', { volumeId, kind, rules }).expect(200)).body

const folder = (path: string, inode: number): File => ({ path, isDirectory: true, inode })
const films = await newVolume(platform, 'films')
await scanFolders(platform, { volumeId: films, indexingDate: '2026-01-01' }, [
  { path: '', entries: [folder('/tmp', 2), folder('/raw', 3), { path: '/notes.txt', size: 5 }] },
  { path: '/tmp', entries: [folder('/tmp/a', 4), { path: '/tmp/x.tmp', size: 20 }] },
  { path: '/tmp/a', entries: [{ path: '/tmp/a/y.tmp', size: 300 }] },
  { path: '/raw', entries: [], unrecorded: { files: 2, size: 4_000, allocatedSize: 4_096 } },
])
const other = await newVolume(platform, 'other')
await scanFolders(platform, { volumeId: other, indexingDate: '2026-01-02', cloneIndex: false }, [
  { path: '', entries: [folder('/tmp', 2)] },
  { path: '/tmp', entries: [{ path: '/tmp/z', size: 50_000 }] },
])

test('ignoring a path leaves out all of it and below it, of that storage alone', async () => {
  const indexingDate = '2026-01-01'
  expect(await preview(films, 'ignored', '/tmp')).toEqual({ indexingDate, files: 2, folders: 2, size: 320 })
  expect(await preview(films, 'ignored', '**/*.tmp')).toEqual({ indexingDate, files: 2, folders: 0, size: 320 })
  expect(await preview(films, 'ignored', 'tmp/a', '/tmp/**')).toEqual({ indexingDate, files: 2, folders: 1, size: 320 })
  expect(await preview(films, 'ignored', '/gone')).toEqual({ indexingDate, files: 0, folders: 0, size: 0 })
})

test('files that have no row of their own count with their folder', async () => {
  expect(await preview(films, 'ignored', '/raw')).toMatchObject({ files: 2, folders: 1, size: 4_000 })
})

test('indexing folders only leaves out files and keeps folders; the root is none of the folders that * means', async () => {
  expect(await preview(films, 'foldersOnly', '/tmp')).toMatchObject({ files: 2, folders: 0, size: 320 })
  expect(await preview(films, 'foldersOnly', '/*')).toMatchObject({ files: 2, folders: 0, size: 320 })
})

test('a storage without a snapshot has no date, one that is not set up is not found, and a rule needs words', async () => {
  const fresh = await newVolume(platform, 'fresh')
  expect(await preview(fresh, 'ignored', '/tmp')).toEqual({ indexingDate: null, files: 0, folders: 0, size: 0 })
  const body = { volumeId: 99_999, kind: 'ignored', rules: ['/tmp'] }
  await ask('POST', '/api/v1/pathRules/preview', body).expect(404)
  const wrong = await ask('POST', '/api/v1/pathRules/preview', { ...body, rules: [' '] }).expect(400)
  expect(wrong.body.subErrors).toEqual([{ field: 'rules.0', message: 'must not be blank' }])
})
