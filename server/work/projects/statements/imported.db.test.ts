import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { importRoutes } from '#server/scanning/imports/index.ts'
import { changeTree, commitAndWait, findExport, newTree, scanTree, upload } from '#server/scanning/imports/testing.ts'
import { asUser, testSession } from '#server/testing.ts'
import { overviewRoutes } from '#server/work/overview/index.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { fillAll } from '#server/work/projects/figures/startFigures.ts'

const platform = { ...(await testPlatform()), live: () => {} }
const routes = [...projectRoutes(platform), ...importRoutes(platform), ...overviewRoutes(platform)]
const ask = asUser(createApp(platform, routes), await testSession(platform.db, ['ROLE_ADMIN']))
const read = async (path: string) => (await ask('GET', `/api/v1/${path}`).expect(200)).body

const months = Array.from({ length: 12 }, (_, n) => `2025-${String(n + 1).padStart(2, '0')}`)
const storages = { scanned: 0, imported: 0 }
const projects = { scanned: 0, imported: 0 }
const random = newRandom(12)

/** A year of which one storage has a scan a month, and the other one exports, imported after the first scan of its own. */
beforeAll(async () => {
  const tree = newTree(random, 40)
  const exports: { date: string; file: Buffer }[] = []
  for (const name of ['scanned', 'imported'] as const) storages[name] = await newVolume(platform, name)
  for (const month of months) {
    const date = `${month}-15`
    await scanTree(platform, storages.scanned, date, tree)
    exports.push({ date, file: findExport(random, tree) })
    changeTree(random, tree, 12)
  }
  for (const volumeId of [storages.scanned, storages.imported]) await scanTree(platform, volumeId, '2026-01-10', tree)
  for (const { date, file } of exports.toSorted(() => random.next() - 0.5)) {
    const { id } = await upload(ask, { storageId: storages.imported, date, format: 'find' }, file)
    await commitAndWait(ask, id)
  }
  for (const name of ['scanned', 'imported'] as const) {
    const paths = [{ volumeId: storages[name], path: '/' }]
    const { body } = await ask('POST', '/api/projects', { name, allocatedSize: 1e6, paths }).expect(200)
    projects[name] = body.id
  }
  await platform.db.updateTable('projects').set({ madeOn: '2025-01-01' }).execute()
  await fillAll(platform)
}, 300_000)

/** Answers about the storage or project of scans and of imports, without what names them. */
async function answers(pathOf: (name: 'scanned' | 'imported') => string): Promise<string[]> {
  const found = ['scanned', 'imported'] as const
  return Promise.all(
    found.map(async (name) =>
      JSON.stringify(await read(pathOf(name)), (key, value: unknown) =>
        /^(id|name|volumeId|volumeName|storageId)$/.test(key) ? undefined : value,
      ).replaceAll(name, 'name'),
    ),
  )
}

test.each([
  ['history', ''],
  ['forecast', ''],
  ['statements', ''],
  ...months.map((month) => ['statements', `/${month}`]),
])('a project has the same %s%s of imports and scans together as of scans', async (what, more) => {
  const [scanned = '', imported] = await answers((name) => `projects/${projects[name]}/${what}${more}`)
  expect(imported).toBe(scanned)
  expect(scanned.length).toBeGreaterThan(50)
})

test('the line of a storage goes back to the first import', async () => {
  const [scanned = '', imported] = await answers(
    (name) => `dashboard/history?days=366&indexingDate=2026-01-10&storageIds=${storages[name]}`,
  )
  expect(imported).toBe(scanned)
  expect(scanned).toContain('2025-01-15')
})
