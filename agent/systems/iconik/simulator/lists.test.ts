import { expect, test } from 'vitest'
import type { IconikSimulator } from './index.ts'
import { ask, createFile, simulator } from './testing.ts'

const collections = (iconik: IconikSimulator, query = '') => ask(iconik, `GET assets/v1/collections/${query}`)
const storages = (iconik: IconikSimulator, query = '') => ask(iconik, `GET files/v1/storages/${query}`)
const idsOf = (objects: { id: string }[]) => objects.map(({ id }) => id)

test('collections are listed in pages, whose next address starts at the root of the host', async () => {
  const iconik = await simulator()
  iconik.fillCollections(6_000)
  const found: string[] = []
  let path = 'assets/v1/collections/?per_page=100&page=1&sort=title%2Casc'
  for (;;) {
    const { body } = await ask(iconik, `GET ${path}`)
    found.push(...idsOf(body.objects))
    if (!body.next_url) break
    expect(body.next_url).toMatch(/^\/API\/assets\/v1\/collections\/\?/)
    path = body.next_url.slice('/API/'.length)
  }
  expect([found.length, new Set(found).size]).toEqual([6_000, 6_000])
  const first = (await collections(iconik, '?per_page=100&sort=title,asc')).body
  const { page, pages, per_page: perPage, total, prev_url: previous, scroll_id: scroll } = first
  expect([page, pages, perPage, total, previous, scroll]).toEqual([1, 60, 100, 6_000, null, null])
  expect(new Set(first.objects.map(({ title }: { title: string }) => title))).toEqual(new Set([' ']))
  expect((await collections(iconik)).body.objects).toHaveLength(10)
})

test('pages have limits, and a scroll has none', async () => {
  const iconik = await simulator()
  iconik.fillCollections(1_100)
  const status = async (query: string) => (await collections(iconik, query)).status
  expect([await status('?per_page=101'), await status('?page=111'), await status('?page=0')]).toEqual([400, 404, 400])
  expect([await status('?offset=1'), await status('?sort=name,asc')]).toEqual([400, 400])
  Object.assign(iconik.readings, { collectionsPerPage: 500, deepPagingLimit: 1_000 })
  expect([await status('?per_page=500&page=2'), await status('?per_page=500&page=3')]).toEqual([200, 400])
  const found: string[] = []
  let query = '?per_page=500&scroll=true'
  for (let objects = [{ id: '' }]; objects.length > 0;) {
    const { body } = await collections(iconik, query)
    objects = body.objects
    found.push(...idsOf(objects))
    query = `?per_page=500&scroll_id=${body.scroll_id}`
  }
  expect(found).toEqual([...iconik.collections.keys()])
  iconik.clock.advance(301_000)
  expect(await status(query)).toBe(404)
})

test('totals lag, and a collection that is added between two pages repeats another', async () => {
  const iconik = await simulator({ behavior: { totalLag: 2 } })
  for (const title of ['b', 'c', 'd']) iconik.addCollection({ title })
  const titles = async (page: number) => {
    const { body } = await collections(iconik, `?per_page=2&sort=title,asc&page=${page}`)
    return [body.total, ...body.objects.map(({ title }: { title: string }) => title)]
  }
  expect(await titles(1)).toEqual([1, 'b', 'c'])
  iconik.addCollection({ title: 'a' })
  expect(await titles(2)).toEqual([2, 'c', 'd'])
})

test('titles may be ignored or refused as a sort field', async () => {
  const iconik = await simulator()
  for (const title of ['b', 'a']) iconik.addCollection({ title })
  const sorted = async () => await collections(iconik, '?sort=title,asc;date_created,desc')
  const titles = async () => (await sorted()).body.objects.map(({ title }: { title: string }) => title)
  expect(await titles()).toEqual(['a', 'b'])
  iconik.readings.titleSort = 'ignored'
  expect(await titles()).toEqual(['b', 'a'])
  iconik.readings.titleSort = 'refused'
  expect((await sorted()).status).toBe(400)
})

test('a collection has its path, and hidden and deleted ones are listed', async () => {
  const iconik = await simulator()
  const top = iconik.addCollection({ title: 'Show' })
  const below = iconik.addCollection({ title: 'Day 1/2', parentId: top.id, status: 'HIDDEN' })
  iconik.addCollection({ status: 'DELETED' })
  const shown = { id: below.id, is_root: false, parent_id: top.id, parents: [top.id], in_collections: [top.id] }
  expect((await ask(iconik, `GET assets/v1/collections/${below.id}/`)).body).toMatchObject(shown)
  expect(idsOf((await collections(iconik, '?is_root=false')).body.objects)).toEqual([below.id])
  expect((await collections(iconik, '?status=DELETED')).body.objects).toHaveLength(1)
  const path = (query = '') => ask(iconik, `GET assets/v1/collections/${below.id}/full/path/${query}`)
  expect([(await path()).body, (await path('?get_upload_path=true')).body]).toEqual(['Show/Day 1/2', 'Show/Day 1_2'])
})

test('storages of every method are listed with their state and settings', async () => {
  const iconik = await simulator()
  const { body } = await storages(iconik, '?per_page=100')
  const methods = ['FILE', 'HTTP', 'FTP', 'SFTP', 'S3', 'B2', 'GCS', 'PORTAL', 'CUSTOM', 'AZURE']
  for (const method of methods) {
    const names = body.objects.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining([`${method} 1`, `${method} 2`]))
  }
  const named = (name: string) => body.objects.find((storage: { name: string }) => storage.name === name)
  expect(named('Inactive').status).toBe('INACTIVE')
  expect(named('Failing')).toMatchObject({ status: 'FAILING', status_message: 'Access to the bucket was denied' })
  expect(named('Read-only').settings.write).toBe(false)
  expect(named('FILE 1')).toMatchObject({ isg_version: '4.6.2', settings: { mount_point: '/mnt/media' } })
  const access = (id: string) => ask(iconik, `GET files/v1/storages/${id}/verifications/access/`)
  expect((await access(named('S3 1').id)).body).toEqual({ access_check: true, error_message: null })
  expect((await access(named('No access').id)).body.access_check).toBe(false)
  expect((await ask(iconik, `GET files/v1/storages/${named('B2 1').id}/`)).body.method).toBe('B2')
})

test('storages are filtered, and their pages end with status 404 or empty ones', async () => {
  const iconik = await simulator()
  const names = async (query: string) =>
    (await storages(iconik, query)).body.objects.map(({ name }: { name: string }) => name)
  expect(await names('?method=GCS&purpose=FILES')).toEqual(['GCS 1', 'GCS 2'])
  const [first, second] = ['S3 1', 'S3 2'].map((name) => iconik.storageNamed(name).id)
  expect(await names(`?ids=${first},${second}`)).toEqual(['S3 1', 'S3 2'])
  expect(await names('?query=ftp&sort=name,desc')).toEqual(['SFTP 2', 'SFTP 1', 'FTP 2', 'FTP 1'])
  expect((await storages(iconik, '?method=s3')).status).toBe(400)
  expect([(await storages(iconik, '?per_page=101')).status, (await storages(iconik, '?page=99')).status]).toEqual([
    400, 404,
  ])
  iconik.readings.pastLastPage = 'empty'
  expect(await names('?page=99')).toEqual([])
})

test('lists of an asset continue after an id', async () => {
  const iconik = await simulator()
  const { asset, file } = await createFile(iconik)
  const below = `files/v1/assets/${asset.id}`
  for (const name of ['b', 'c'])
    await ask(iconik, `POST ${below}/formats/`, { body: { name, metadata: [{ internet_media_type: 'video/mp4' }] } })
  const list = async (query: string) => await ask(iconik, `GET ${below}/formats/${query}`)
  const { objects } = (await list('?per_page=2')).body
  expect(objects.map(({ name }: { name: string }) => name)).toEqual(['ORIGINAL', 'b'])
  expect((await list(`?per_page=2&last_id=${objects[1].id}`)).body.objects).toMatchObject([{ name: 'c' }])
  expect((await list('?page=2')).status).toBe(400)
  expect((await ask(iconik, `GET ${below}/file_sets/`)).body.objects).toHaveLength(1)
  expect(idsOf((await ask(iconik, `GET ${below}/files/`)).body.objects)).toEqual([file.id])
})
