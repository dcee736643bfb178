import { expect, test } from 'vitest'
import type { IconikSimulator } from './index.ts'
import { ask, createFile, simulator } from './testing.ts'

const unknown = '5f0c0000-0000-11ee-8000-ffffffffffff'
const createAsset = (iconik: IconikSimulator, body: object, query = '') =>
  ask(iconik, `POST assets/v1/assets/${query}`, { body })

test('an asset is created with its collection and access rights', async () => {
  const iconik = await simulator()
  const { id } = iconik.addCollection({ title: 'Dailies' })
  const query = '?apply_default_acls=false&apply_collection_acls=true&assign_to_collection=true'
  const { status, body } = await createAsset(iconik, { title: 'a', collection_id: id, external_id: 'job 1/1' }, query)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    title: 'a',
    external_id: 'job 1/1',
    in_collections: [id],
    versions: [{ status: 'ACTIVE' }],
  })
  expect(iconik.assets.get(body.id)?.acls).toEqual({ default: false, collection: true })
  const loose = (await createAsset(iconik, { title: 'b', collection_id: id })).body
  expect([loose.in_collections, iconik.assets.get(loose.id)?.acls]).toEqual([[], { default: true, collection: false }])
  expect((await createAsset(iconik, { title: 'c', collection_id: unknown })).status).toBe(404)
  expect((await createAsset(iconik, { title: 'c' }, '?assign_to_collection=true')).status).toBe(400)
  expect((await ask(iconik, `GET assets/v1/assets/${body.id}/`)).body.created_by_user).toBe(body.created_by_user)
})

test('an asset is added to a collection, twice if it is requested twice', async () => {
  const iconik = await simulator()
  const collection = iconik.addCollection()
  const { body: asset } = await createAsset(iconik, { title: 'a' })
  const add = (id: string, body: object) => ask(iconik, `POST assets/v1/collections/${id}/contents/`, { body })
  const content = { object_id: asset.id, object_type: 'assets' }
  expect([(await add(collection.id, content)).status, (await add(collection.id, content)).status]).toEqual([201, 201])
  expect(collection.contents).toEqual([asset.id, asset.id])
  expect((await add(unknown, content)).status).toBe(404)
  expect((await add(collection.id, { ...content, object_id: unknown })).status).toBe(404)
  collection.status = 'DELETED'
  expect((await add(collection.id, content)).status).toBe(404)
})

test('formats, file sets and files need their fields, and ids of the same asset', async () => {
  const iconik = await simulator()
  const { asset, format, fileSet } = await createFile(iconik)
  const other = await createFile(iconik)
  const create = async (kind: string, body: object) =>
    (await ask(iconik, `POST files/v1/assets/${asset.id}/${kind}/`, { body })).status
  expect([await create('formats', {}), await create('formats', { name: 'b', version_id: unknown })]).toEqual([400, 404])
  const set = { name: 'b', base_dir: '', component_ids: [], format_id: format.id }
  expect(await create('file_sets', { ...set, format_id: other.format.id })).toBe(404)
  expect(await create('file_sets', { ...set, storage_id: unknown })).toBe(404)
  expect(await create('file_sets', { name: 'b' })).toBe(400)
  const file = { original_name: 'b', directory_path: '', type: 'FILE', file_set_id: fileSet.id, size: 1 }
  expect([await create('files', file), await create('files', { ...file, size: '1' })]).toEqual([201, 400])
  expect(await create('files', { ...file, file_set_id: other.fileSet.id })).toBe(404)
  expect(await create('files', { ...file, type: 'file' })).toBe(400)
  expect(await create('files', { ...file, file_date_modified: '2025-01-01T10:00:00Z' })).toBe(201)
  expect(await create('files', { ...file, file_date_modified: 'yesterday' })).toBe(400)
})

test('a second file set of a format on a storage is refused or created', async () => {
  const iconik = await simulator()
  const { asset, format, fileSet } = await createFile(iconik)
  const body = { name: 'b', base_dir: '', component_ids: [], format_id: format.id, storage_id: fileSet.storage_id }
  const create = () => ask(iconik, `POST files/v1/assets/${asset.id}/file_sets/`, { body })
  expect(await create()).toMatchObject({ status: 409, body: { errors: ['The file set already exists'] } })
  iconik.readings.fileSetConflict = 'created'
  expect((await create()).status).toBe(201)
})

test('files go to storages that can be written', async () => {
  const iconik = await simulator()
  const refused = async (storage: string) =>
    await createFile(iconik, { storage }).catch((error: Error) => error.message)
  expect(await refused('Read-only')).toMatch(/403 .*Read-only is not writable/)
  expect(await refused('Not allowed')).toMatch(/403 .*No write access/)
  expect(await refused('Inactive')).toMatch(/400/)
  for (const storage of ['No access', 'HTTP 1', 'FTP 1', 'SFTP 1', 'PORTAL 1', 'CUSTOM 1', 'FILE 1'])
    expect((await createFile(iconik, { storage })).file.upload_url).toBe(null)
})

test('a file is named after its id unless the storage or the client says otherwise', async () => {
  const iconik = await simulator()
  const { file } = await createFile(iconik)
  expect(file).toMatchObject({
    name: `${file.id}_clip.mov`,
    original_name: 'clip.mov',
    status: 'OPEN',
    upload_method: 'PUT',
  })
  expect((await createFile(iconik, { file: { name: 'own.mov' } })).file.name).toBe('own.mov')
  expect((await createFile(iconik, { storage: 'FILE 1' })).file.name).toBe('clip.mov')
})

test('a file is closed with or without bytes, and stays visible as such', async () => {
  const iconik = await simulator()
  const { path } = await createFile(iconik)
  const body = { status: 'CLOSED', progress_processed: 100 }
  expect(await ask(iconik, `PATCH ${path}`, { body })).toMatchObject({ status: 200, body: { status: 'CLOSED' } })
  expect(iconik.files()).toMatchObject([{ path: 'proj/day1/clip.mov', status: 'CLOSED', size: 5, stored: undefined }])
  expect((await ask(iconik, `PATCH ${path}`, { body: { status: 'DONE' } })).status).toBe(400)
  iconik.readings.closesEmptyFiles = false
  const empty = await createFile(iconik, { size: 0 })
  expect((await ask(iconik, `PATCH ${empty.path}`, { body })).status).toBe(400)
  expect((await ask(iconik, `PATCH ${empty.path}`, { body: { status: 'FAILED' } })).status).toBe(200)
})

test('a file that is created as closed is closed, open or refused', async () => {
  const iconik = await simulator()
  const create = (storage: string) => createFile(iconik, { storage, file: { status: 'CLOSED' } })
  expect((await create('S3 1')).file.status).toBe('CLOSED')
  iconik.readings.closedOnCreation = 'open'
  expect([(await create('S3 1')).file.status, (await create('FILE 1')).file.status]).toEqual(['OPEN', 'CLOSED'])
  iconik.readings.closedOnCreation = 'refused'
  await expect(create('S3 1')).rejects.toThrow('400')
})

test('an asset is deleted, also by those who may only create it', async () => {
  const iconik = await simulator({ roles: ['can_create_assets', 'can_write_formats', 'can_write_files'] })
  const { asset, path } = await createFile(iconik)
  expect((await ask(iconik, `DELETE assets/v1/assets/${asset.id}/`)).status).toBe(403)
  const deleted = await ask(iconik, `DELETE assets/v1/assets/${asset.id}/uploads/`)
  expect([deleted.status, deleted.body, iconik.files()]).toEqual([204, '', []])
  expect((await ask(iconik, `PATCH ${path}`, { body: {} })).status).toBe(404)
})

test('a search finds assets by their external id after some seconds', async () => {
  const iconik = await simulator()
  await createAsset(iconik, { title: 'a', external_id: 'job 1/1' })
  const find = async (value: string, filter = {}) => {
    const terms = [{ name: 'external_id', value }]
    const body = { doc_types: ['assets'], filter: { operator: 'AND', terms, ...filter } }
    const answer = await ask(iconik, 'POST search/v1/search/', { body })
    return answer.body.objects?.map(({ title }: { title: string }) => title) ?? answer.status
  }
  expect(await find('job 1/1')).toEqual([])
  iconik.clock.advance(3_000)
  expect([await find('job 1/1'), await find('job 1')]).toEqual([['a'], []])
  expect(await find('x', { operator: 'XOR' })).toBe(400)
})

test('keyframes are made by a job, ignored by a pattern, or fail for a file without bytes', async () => {
  const iconik = await simulator()
  const keyframes = async (path: string, body = {}) => await ask(iconik, `POST ${path}keyframes/`, { body })
  const { path } = await createFile(iconik)
  const { status, body } = await keyframes(path)
  expect(status).toBe(200)
  const jobStatus = async () => (await ask(iconik, `GET jobs/v1/jobs/${body.job_id}/`)).body.status
  expect(await jobStatus()).toBe('STARTED')
  iconik.clock.advance(5_000)
  expect(await jobStatus()).toBe('FAILED')
  iconik.storageNamed('S3 1').ignorePattern = /[.]mov$/
  expect((await keyframes(path)).status).toBe(204)
  expect((await keyframes(path, { use_storage_transcode_ignore_pattern: false, priority: 5 })).status).toBe(200)
  expect((await keyframes(path, { priority: 11 })).status).toBe(400)
})

test('a job shows progress, and refuses or ignores changes after a user aborted it', async () => {
  const iconik = await simulator()
  const { asset } = await createFile(iconik)
  const body = { title: 'Upload', type: 'TRANSFER', status: 'STARTED', object_type: 'assets', object_id: asset.id }
  const { id, progress_total: total } = (await ask(iconik, 'POST jobs/v1/jobs/', { body })).body
  expect(total).toBe(100)
  const change = (changes: object) => ask(iconik, `PATCH jobs/v1/jobs/${id}/`, { body: changes })
  expect((await change({ progress_processed: 50 })).body).toMatchObject({ status: 'STARTED', progress_processed: 50 })
  iconik.abortJob(id)
  expect((await change({ progress_processed: 60 })).status).toBe(409)
  iconik.readings.abortedJob = 'accepts'
  expect((await change({ status: 'FINISHED' })).body.status).toBe('ABORTED')
})

test('a file set is transferred to another storage, but not to its own', async () => {
  const iconik = await simulator()
  const { asset, fileSet } = await createFile(iconik)
  const [own, other] = ['S3 1', 'S3 2'].map((name) => iconik.storageNamed(name).id)
  const transfer = (storage = '') => ask(iconik, `POST files/v1/file_sets/${fileSet.id}/storages/${storage}/`)
  expect((await transfer(own)).status).toBe(409)
  const { status, body } = await transfer(other)
  iconik.clock.advance(5_000)
  expect([status, iconik.jobs.get(body.job_id)?.status]).toEqual([202, 'FINISHED'])
  expect((await transfer(other)).status).toBe(409)
  const bulk = { object_ids: [asset.id], object_type: 'assets' }
  const third = iconik.storageNamed('GCS 1').id
  expect((await ask(iconik, `POST files/v1/storages/${third}/bulk/`, { body: bulk })).status).toBe(202)
  iconik.clock.advance(5_000)
  expect((await transfer(third)).status).toBe(409)
})
