import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { ask, createFile, simulator } from './testing.ts'

/** A simulator whose storage `FILE 1` has files of this machine. */
async function withGateway() {
  const iconik = await simulator()
  const folder = testFolder('gateway')
  mkdirSync(join(folder, 'proj/day1'), { recursive: true })
  for (const name of ['proj/day1/clip.mov', 'other.mov']) writeFileSync(join(folder, name), name)
  const storage = iconik.storageNamed('FILE 1')
  Object.assign(storage, { folder })
  const register = (directory = 'proj/day1') =>
    createFile(iconik, { storage: 'FILE 1', directory, file: { status: 'CLOSED' } })
  const titles = () => iconik.files().map(({ path, status }) => `${path} ${status}`)
  return { iconik, storage, register, titles }
}

test('a file of a gateway is registered without an upload, and its keyframes need the right path', async () => {
  const { iconik, register } = await withGateway()
  const statuses = []
  for (const directory of ['proj/day1', 'proj/day1/', '/proj/day1', 'day1']) {
    const { file, path } = await register(directory)
    expect([file.status, file.upload_url, file.storage_method]).toEqual(['CLOSED', null, 'FILE'])
    const { body } = await ask(iconik, `POST ${path}keyframes/`, { body: {} })
    iconik.clock.advance(5_000)
    statuses.push(iconik.jobs.get(body.job_id)?.status)
  }
  expect(statuses).toEqual(['FINISHED', 'FINISHED', 'FAILED', 'FAILED'])
})

test('a scan registers new files, and marks those that do not exist as missing', async () => {
  const { iconik, storage, register, titles } = await withGateway()
  await register()
  await register('day1')
  iconik.scan(storage)
  expect(titles()).toEqual(['proj/day1/clip.mov CLOSED', 'day1/clip.mov MISSING', 'other.mov CLOSED'])
  iconik.scan(storage)
  expect(titles()).toHaveLength(3)
})

test('a gateway may register a file for the second time', async () => {
  const { iconik, storage, register, titles } = await withGateway()
  await register()
  iconik.readings.gatewayRecognizes = 'by setting'
  storage.settings.aggregate_identical_files = true
  iconik.scan(storage, ['proj'])
  expect(titles()).toHaveLength(1)
  storage.settings.aggregate_identical_files = false
  iconik.scan(storage, ['proj'])
  expect(titles()).toEqual(['proj/day1/clip.mov CLOSED', 'proj/day1/clip.mov CLOSED'])
  iconik.readings.gatewayRecognizes = 'none'
  await register()
  iconik.scan(storage, ['proj'])
  expect(titles()).toHaveLength(3)
})

test('files of a storage are found by their path and folder', async () => {
  const { iconik, storage, register } = await withGateway()
  const { asset } = await register()
  const find = async (query: string) => {
    const { body } = await ask(iconik, `GET files/v1/storages/${storage.id}/files/?${query}`)
    return body.objects.map((file: { asset_id: string }) => file.asset_id)
  }
  expect(await find('path=proj/day1/clip.mov&directory_path=proj/day1/')).toEqual([asset.id])
  expect(await find('path=proj/day1')).toEqual([])
  iconik.readings.pathFilter = 'prefix'
  expect(await find('path=proj/day1')).toEqual([asset.id])
  expect(await find('directory_path=proj')).toEqual([])
})

test('a gateway scans when it is requested, or regularly', async () => {
  const { iconik, storage, titles } = await withGateway()
  const scan = (body: object, id = storage.id) => ask(iconik, `POST files/v1/storages/${id}/scan/`, { body })
  expect((await scan({ paths: ['proj'], files: [] })).status).toBe(201)
  expect(titles()).toEqual([])
  iconik.clock.advance(5_000)
  expect(titles()).toEqual(['proj/day1/clip.mov CLOSED'])
  expect((await scan({}, iconik.storageNamed('S3 1').id)).status).toBe(400)
  storage.settings.scan = true
  iconik.clock.advance(5_000)
  expect(titles()).toHaveLength(2)
})
