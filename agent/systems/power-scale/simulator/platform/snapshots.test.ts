import { expect, test } from 'vitest'
import { fillTree, type PowerScaleOptions } from '../index.ts'
import { cluster, readAll, session, snapshots, takeSnapshot } from '../testing.ts'

async function started(options: PowerScaleOptions = {}) {
  const simulator = await cluster(options)
  simulator.tree.ensureDirectory('/ifs/data')
  return { ...simulator, call: await session(simulator) }
}

test('a snapshot has an id, and is found by it or by its name', async () => {
  const { call, clock } = await started()
  const created = await call('POST', snapshots, { name: 'daily', path: '/ifs/data', expires: clock.now() + 60 })
  expect(created).toMatchObject({ status: 201, body: { name: 'daily', path: '/ifs/data', state: 'active' } })
  const { id } = created.body
  expect((await call('GET', `${snapshots}/${id}`)).body.snapshots).toEqual([created.body])
  expect((await call('GET', `${snapshots}/daily`)).body.snapshots).toEqual([created.body])
  expect((await call('GET', `${snapshots}/77`)).status).toBe(404)
  expect((await call('POST', snapshots, { name: 'daily', path: '/ifs/data' })).status).toBe(409)
  expect((await call('POST', snapshots, { name: 'other', path: '/ifs/absent' })).status).toBe(404)
})

test('a snapshot expires, unless its expiry is extended or it is locked', async () => {
  const { call, clock, snapshots: taken } = await started()
  const expires = clock.now() + 60
  const ids = []
  for (const name of ['extended', 'locked', 'forgotten'])
    ids.push((await call('POST', snapshots, { name, path: '/ifs/data', expires })).body.id)
  expect((await call('PUT', `${snapshots}/${ids[0]}`, { expires: expires + 60 })).status).toBe(204)
  expect((await call('PUT', `${snapshots}/${ids[0]}`, { expires: 5 })).status).toBe(400)
  taken.lock(ids[1], 'a backup')
  clock.advance(60)
  const listed = async () => (await call('GET', snapshots)).body.snapshots.map(({ name }: { name: string }) => name)
  expect(await listed()).toEqual(['extended', 'locked'])
  taken.unlock(ids[1])
  clock.advance(60)
  expect(await listed()).toEqual([])
})

test('a lock prevents a deletion', async () => {
  const { call, snapshots: taken } = await started()
  const id = await takeSnapshot(call, 'locked')
  taken.lock(id, 'a backup')
  expect((await call('GET', `${snapshots}/${id}/locks`)).body.locks).toMatchObject([{ comment: 'a backup' }])
  expect((await call('DELETE', `${snapshots}/${id}`)).status).toBe(409)
  taken.unlock(id)
  expect((await call('DELETE', `${snapshots}/locked`)).status).toBe(204)
})

test('a snapshot that is being deleted has no name, and then is gone', async () => {
  const { call, clock } = await started({ switches: { deletingTime: 30 } })
  const id = await takeSnapshot(call, 'old')
  await call('DELETE', `${snapshots}/${id}`)
  expect((await call('GET', `${snapshots}/${id}`)).body.snapshots).toMatchObject([{ name: null, state: 'deleting' }])
  expect((await call('GET', `${snapshots}?state=active`)).body.total).toBe(0)
  expect((await call('GET', '/namespace/ifs/.snapshot/old/data')).status).toBe(404)
  clock.advance(30)
  expect((await call('GET', `${snapshots}/${id}`)).status).toBe(404)
})

test('snapshots are listed in pages, whose token excludes all other arguments', async () => {
  const { call } = await started()
  for (let i = 0; i < 7; i++) await takeSnapshot(call, `s${i}`)
  const names = await readAll(call, `${snapshots}?limit=3&sort=name&dir=DESC`, 'snapshots')
  expect(names.map(({ name }) => name)).toEqual(['s6', 's5', 's4', 's3', 's2', 's1', 's0'])
  const { resume, total } = (await call('GET', `${snapshots}?limit=3`)).body
  expect(total).toBe(7)
  expect((await call('GET', `${snapshots}?resume=${resume}&limit=3`)).status).toBe(400)
  expect((await call('GET', `${snapshots}?resume=unknown`)).status).toBe(400)
})

test('an alias of the live file system has the largest of all ids as its target', async () => {
  const { call, snapshots: taken } = await started()
  const id = await takeSnapshot(call, 'real')
  taken.addAlias('latest', taken.get(String(id)))
  taken.addAlias('live', 'live')
  const { text, body } = await call('GET', `${snapshots}?type=alias`)
  expect(text).toContain('"target_id":18446744073709551615')
  expect(body.snapshots[0]).toMatchObject({ target_id: id, target_name: 'real' })
})

test('very old releases describe a new snapshot without its name', async () => {
  const { call } = await started({ switches: { omitsSnapshotName: true } })
  expect((await call('POST', snapshots, { name: 'a', path: '/ifs' })).body).not.toHaveProperty('name')
})

test('a snapshot of many entries takes no time and keeps what the tree changes', async () => {
  const { call, tree } = await started()
  fillTree(tree, 50_000)
  const start = performance.now()
  for (let i = 0; i < 20; i++) tree.freeze()
  expect(performance.now() - start).toBeLessThan(100)
  await takeSnapshot(call, 'before')
  tree.remove('/ifs/data/odd names')
  tree.write('/ifs/data/kinds/file', 77)
  const sizes = async (root: string) =>
    (await call('GET', `/namespace${root}/data/kinds?detail=size,type`)).body.children
  expect((await sizes('/ifs'))[1].size).toBe(77)
  expect((await sizes('/ifs/.snapshot/before'))[1].size).toBe(0)
  expect((await call('GET', '/namespace/ifs/.snapshot/before/data/odd%20names')).body.children).toHaveLength(21)
  tree.check()
})
