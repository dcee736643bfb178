import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))
const as = async (id: number) => asUser(app, await openSession(db, id, '127.0.0.1'))
const admin = await as((await testUser(db, ['ROLE_ADMIN'])).id)
const [whole, part, hidden] = [
  await newVolume(platform, 'Whole'),
  await newVolume(platform, 'Part'),
  await newVolume(platform, 'Hiddenword'),
]
const dates = ['2026-01-01', '2026-01-20'] as const

type Tree = Record<string, number>
const trees = {
  [whole]: [{ '/w/a': 5 }, { '/w/a': 5, '/w/b': 70 }],
  [part]: [
    { '/aurora/1': 100, '/aurora/cuts/2': 10, '/secretword/3': 4_000 },
    { '/aurora/1': 300, '/secretword/2': 50, '/secretword/3': 9_000, '/top': 7 },
  ],
  [hidden]: [{ '/h/1': 1 }, { '/h/1': 60_000 }],
} as Record<number, [Tree, Tree]>

/** Scans the files and all folders that contain them. */
async function scanTree(volumeId: number, indexingDate: string, tree: Tree): Promise<void> {
  const above = (path: string) => path.slice(0, path.lastIndexOf('/'))
  const folders = new Set<string>([''])
  for (const path of Object.keys(tree)) for (let at = above(path); at !== ''; at = above(at)) folders.add(at)
  const files = Object.entries(tree).map(([path, size]): File => ({ path, size, allocatedSize: size, inode: 0 }))
  const directories = [...folders].filter((path) => path !== '').map((path): File => ({ path, isDirectory: true }))
  const all = [...files, ...directories]
  await scanFolders(
    platform,
    { volumeId, indexingDate },
    [...folders].map((path) => ({ path, entries: all.filter((entry) => above(entry.path) === path) })),
  )
}
for (const [at, date] of dates.entries())
  for (const id of [whole, part, hidden]) await scanTree(id, date, trees[id]![at]!)
const disk = { capacityTotal: 900_001, capacityUsed: 700_001, capacityFree: 200_000 }
await db
  .updateTable('scans')
  .set({ ...disk, fileSystem: 'shared:1' })
  .where('volumeId', 'in', [part, hidden])
  .execute()
await db
  .updateTable('scans')
  .set({ ...disk, fileSystem: 'own:1' })
  .where('volumeId', '=', whole)
  .execute()
const scans = await db.selectFrom('scans').select(['id', 'volumeId']).orderBy('id').execute()
for (const { id } of scans)
  await db
    .insertInto('scanUnreadable')
    .values(['/aurora/x', '/secretword/y'].map((path) => ({ scanId: id, path, error: 'EACCES' })))
    .execute()
await db
  .updateTable('scans')
  .set({
    reason: 'lost /secretword',
    notEntered: JSON.stringify({
      count: 1,
      folders: [{ path: '/secretword/mount', reason: 'mount', detail: '' }],
    }) as never,
  })
  .where('volumeId', '=', part)
  .execute()

const none = { everything: false, projects: [] as number[], storages: [] as number[], folders: [] as object[] }
const limit = (id: number, limits: object) => admin('PUT', `/api/v1/users/${id}/limits`, limits).expect(204)
const { id: annaId } = await testUser(db, [])
await limit(annaId, { ...none, storages: [whole], folders: [{ storageId: part, path: '/aurora' }] })
const anna = await as(annaId)
const get = async (path: string) => (await anna('GET', `/api/v1/${path}`).expect(200)).body

/** Number and bytes of the visible files of a storage, by a plain loop. */
function seen(id: number, at: 0 | 1) {
  const files = Object.entries(trees[id]![at]).filter(([path]) => id === whole || path.startsWith('/aurora/'))
  return { numberOfFiles: files.length, sizeOfFiles: files.reduce((sum, [, size]) => sum + size, 0) }
}
const noDisk = { total: null, used: null, free: null, fileSystem: null }

test.each([0, 1] as const)(
  'lists of a date have whole storages, and figures of visible files for the others (%i)',
  async (at) => {
    const query = `indexingDate=${dates[at]}`
    const rows = [
      { ...noDisk, ...seen(part, at), limited: true },
      { ...seen(whole, at), used: 700_001 },
    ]
    const volumes = await get(`volumes?${query}`)
    expect(volumes).toMatchObject({ total: 2, elements: rows })
    expect(volumes.elements[1]).not.toHaveProperty('limited')
    const dashboard = await get(`dashboard?${query}`)
    expect(dashboard.storages).toMatchObject(rows.map((row) => ({ ...row, countedSize: row.sizeOfFiles })))
    expect(dashboard.storages).toHaveLength(2)
    expect(dashboard.scans.map(({ volumeId }: { volumeId: number }) => volumeId)).toEqual(Array(at + 1).fill(whole))
    const overview = await get(`storages/overview?${query}`)
    expect(overview.map(({ snapshot }: { snapshot: object }) => snapshot)).toMatchObject(rows)
    expect(overview[0].snapshot.points).toEqual([])
    expect(await get(`volumes?${query}&sort=sizeOfFiles,desc&size=1`)).toMatchObject({ total: 2, elements: [rows[0]] })
  },
)

test('configured storages have capacities only if all of their disk is visible, also in their order', async () => {
  const stats = (capacityUsed: number | null) => expect.objectContaining({ capacityUsed })
  for (const [order, names] of [
    ['asc', ['Part', 'Whole']],
    ['desc', ['Whole', 'Part']],
  ] as const) {
    const { elements } = await get(`storages?sort=CAPACITY_USED&direction=${order}`)
    expect(elements.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(elements).toContainEqual(
      expect.objectContaining({ name: 'Part', limited: true, account: null, stats: stats(null) }),
    )
    expect(elements).toContainEqual(expect.objectContaining({ name: 'Whole', stats: stats(700_001) }))
  }
  await db.updateTable('scans').set({ fileSystem: 'own:1' }).where('volumeId', '=', hidden).execute()
  for (const path of ['storages', 'volumes', 'dashboard', 'storages/overview', `detailedVolumes/${whole}`])
    expect(JSON.stringify(await get(path))).not.toMatch(/70000|90000|hiddenword/i)
  await db.updateTable('scans').set({ fileSystem: 'shared:1' }).where('volumeId', '=', hidden).execute()
})

test('details of a partly visible storage count visible files, without facts of the whole scan', async () => {
  const { elements, total } = await get(`detailedVolumes/${part}`)
  expect(total).toBe(2)
  for (const [at, element] of elements.toReversed().entries())
    expect(element).toMatchObject({
      ...noDisk,
      ...seen(part, at as 0 | 1),
      limited: true,
      server: null,
      crawlDuration: null,
    })
  expect(elements[0].notEntered).toEqual({ count: 0, folders: [] })
  expect(Object.values(elements[0].statistics).every((one) => Object.keys(one as object).length === 0)).toBe(true)
  await anna('GET', `/api/v1/detailedVolumes/${part}?sort=numberOfFiles`).expect(400)
  const { elements: all } = await get(`detailedVolumes/${whole}`)
  expect(all).toEqual((await admin('GET', `/api/v1/detailedVolumes/${whole}`).expect(200)).body.elements)
  expect([await get(`detailedVolumes/${part}/actions`), await get(`detailedVolumes/${whole}/archived`)]).toEqual([
    [],
    null,
  ])
  for (const more of ['', '/actions', '/archived']) {
    const answers = [hidden, 9_999].map(async (id) => {
      const { body } = await anna('GET', `/api/v1/detailedVolumes/${id}${more}`).expect(404)
      return JSON.stringify(body).replace(String(id), '')
    })
    expect(new Set(await Promise.all(answers)).size).toBe(1)
  }
})

test('states, scans and activity name nothing else', async () => {
  const states = await get('storageStates')
  expect(states.map(({ name }: { name: string }) => name)).toEqual(['Part', 'Whole'])
  expect(states[0].lastScan.reason).toBeNull()
  expect((await get('volumes/mostActiveVolumes?duration=365')).map(({ id }: { id: number }) => id)).toEqual([whole])
  const unreadable = async (volumeId: number, status: number) => {
    const { id } = scans.find((scan) => scan.volumeId === volumeId)!
    return (await anna('GET', `/api/v1/scans/${id}/unreadable`).expect(status)).body.elements?.length
  }
  expect([await unreadable(whole, 200), await unreadable(part, 200)]).toEqual([2, 1])
  expect(await unreadable(hidden, 404)).toBeUndefined()
  expect((await anna('GET', '/api/administration/dates').expect(200)).body).toMatchObject([
    { volumes: 2 },
    { volumes: 2 },
  ])
})

test('changes of the figures count whole storages, and are unknown with a partly visible one', async () => {
  expect(await get('dashboard/history?days=60')).toEqual([])
  const { id } = await testUser(db, [])
  await limit(id, { ...none, storages: [whole] })
  const { body } = await (await as(id))('GET', '/api/v1/dashboard/history?days=60').expect(200)
  expect(body).toMatchObject([
    { files: 1, used: 700_001, duplicates: null },
    { files: 2, used: 700_001, duplicates: null },
  ])
})

test('other limits change all answers at once', async () => {
  const { id } = await testUser(db, [])
  const user = await as(id)
  await limit(id, none)
  for (const path of ['volumes', 'storages']) expect((await user('GET', `/api/v1/${path}`)).body.elements).toEqual([])
  for (const path of ['storageStates', 'storages/overview'])
    expect((await user('GET', `/api/v1/${path}`)).body).toEqual([])
  await limit(id, { ...none, storages: [hidden] })
  expect((await user('GET', '/api/v1/volumes')).body.elements).toMatchObject([{ id: hidden, sizeOfFiles: 60_000 }])
  await limit(id, { ...none, everything: true })
  expect((await user('GET', '/api/v1/volumes')).body.total).toBe(3)
})
