import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { archiwarePaths, sourceRoutes } from '../index.ts'

const platform = await testPlatform()
const { db } = platform
const storagePrice = await testPriceBook(db)
const ask = asUser(createApp(platform, sourceRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const path = '/api/v1/archiwares/volumeMapping'
const share = { dataintellName: 'Media', type: 'SMB', host: 'nas', shareName: 'media', storagePrice }

beforeEach(async () => {
  await sql`TRUNCATE volumes, archiware_mappings, events RESTART IDENTITY CASCADE`.execute(db)
  await ask('POST', '/api/volumeSettings', { name: 'Films', path: '/mnt/films', storagePrice }).expect(200)
  await ask('POST', '/api/v1/networkVolumes', share).expect(200)
})

const films = { volumeId: 1, dataintellPath: '/mnt/films', archiwarePath: '/Volumes/Films' }
const everywhere = { volumeId: -1, dataintellPath: '/mnt', archiwarePath: '/Volumes' }
const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field}: ${message}`)

test('mappings of storages are listed, and the global one is read apart', async () => {
  const own = (await ask('POST', path, films).expect(200)).body.id
  const all = (await ask('POST', path, everywhere).expect(200)).body.id
  const listed = (await ask('GET', `${path}?page=1&size=200&sort=id&direction=asc`).expect(200)).body
  expect(listed).toMatchObject({ total: 1, elements: [{ ...films, id: own, volumeName: 'Films' }] })
  const of = async (volumeId: number) => (await ask('GET', `${path}/volumes/${volumeId}`).expect(200)).body
  expect(await of(-1)).toEqual({ ...everywhere, id: all, volumeName: null })
  expect([await of(1), await of(2)]).toEqual([{ ...films, id: own, volumeName: 'Films' }, null])
  await ask('PUT', `${path}/${all}`, { ...everywhere, archiwarePath: '/net' }).expect(204)
  expect(await of(-1)).toMatchObject({ archiwarePath: '/net' })
  await ask('DELETE', `${path}/${all}`).expect(204)
  expect(await of(-1)).toBeNull()
  await ask('DELETE', `${path}/${all}`).expect(404)
})

test('a storage has one mapping, which stays its own', async () => {
  const { id } = (await ask('POST', path, films)).body
  expect(wrongOf((await ask('POST', path, films).expect(400)).body)).toEqual([
    'volumeId: File Storage already has a path configuration',
  ])
  expect(wrongOf((await ask('PUT', `${path}/${id}`, { ...films, volumeId: 2 }).expect(400)).body)).toEqual([
    'volumeId: File Storage cannot be changed',
  ])
  await ask('DELETE', '/api/volumeSettings/1').expect(204)
  expect((await ask('GET', path)).body.total).toBe(0)
})

test.each([
  [{ volumeId: 0 }, 'volumeId: File Storage must not be empty'],
  [{ volumeId: 77 }, 'volumeId: File Storage must be one that exists'],
  [{ dataintellPath: '' }, 'dataintellPath: DataIntell Path must not be empty'],
  [{ archiwarePath: '' }, 'archiwarePath: Archiware P5 Path must not be empty'],
  [{ dataintellPath: '/mnt/films2' }, 'dataintellPath: DataIntell Path must be /mnt/films or below it'],
  [{ volumeId: 2 }, String.raw`dataintellPath: DataIntell Path must be \\nas\media or below it`],
])('%j is refused by name', async (wrong, message) => {
  expect(wrongOf((await ask('POST', path, { ...films, ...wrong }).expect(400)).body)).toEqual([message])
})

test('a path is mapped by its own storage, else by the global mapping, else it stays', async () => {
  await ask('POST', path, films).expect(200)
  await ask('POST', path, everywhere).expect(200)
  const media = { volumeId: 2, dataintellPath: String.raw`\\nas\media\raw`, archiwarePath: '/Volumes/raw' }
  await ask('POST', path, media).expect(200)
  const { toArchiware, toDataIntell } = await archiwarePaths(db)
  expect(toArchiware(1, '/mnt/films/a.mov')).toBe('/Volumes/Films/a.mov')
  expect(toArchiware(2, String.raw`\\nas\media\raw\a.mov`)).toBe('/Volumes/raw/a.mov')
  expect(toArchiware(3, '/mnt/films/a.mov')).toBe('/Volumes/films/a.mov')
  expect(toArchiware(3, '/data/a.mov')).toBe('/data/a.mov')
  expect(toDataIntell('/Volumes/Films/a.mov')).toBe('/mnt/films/a.mov')
  expect(toDataIntell('/Volumes/raw/a.mov')).toBe(String.raw`\\nas\media\raw\a.mov`)
  expect(toDataIntell('/Volumes/shows/a.mov')).toBe('/mnt/shows/a.mov')
  expect(toDataIntell('/data/a.mov')).toBe('/data/a.mov')
})
