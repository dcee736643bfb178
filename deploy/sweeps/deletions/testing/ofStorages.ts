import { expect } from 'vitest'
import {
  admin,
  cancel,
  type Cell,
  create,
  db,
  elements,
  jobOf,
  newAgent,
  newPriceBook,
  newReport,
  newSchedule,
  newScanned,
  newStorage,
  p5Credentials,
  pauseSchedule,
  planArchive,
  queryOf,
  read,
  remove,
  removeStorage,
  reportOf,
  runReport,
  runSchedule,
  scanOf,
  startAction,
  startPlan,
  startScan,
  startTask,
  unique,
} from './product.ts'
import { commitAndWait, upload } from '#server/scanning/imports/testing.ts'
import { type Kind, kinds, newSource } from './sources.ts'

const cell = (refers: string, happens: string, run: Cell['run']): Cell => ({
  call: 'DELETE /volumeSettings/:id',
  refers,
  happens,
  run,
})

const goneAlert = async (jobClass: string, payload: object) => {
  const films = await newStorage()
  const alert = await newSchedule(jobClass, { ...payload, resourceIds: [films.id] })
  await removeStorage(films)
  expect(await runSchedule(alert)).toMatchObject({ outcome: 'unknown', reason: `${films.name} no longer set up` })
  await pauseSchedule(alert)
}

/** The storages of each kind are scheduled by the ids of their calls. */
const ofKind = (kind: Kind): Cell[] => [
  {
    call: `DELETE ${kind.path.replace('/api', '')}/:id`,
    refers: `Schedule that names it, with ${kind.idsName}`,
    happens: 'Its runs fail with the reason; it can be paused and corrected',
    run: async () => {
      const { id, volumeId, scheduledId } = await newSource(kind)
      const schedule = await newSchedule(kind.jobClass, { [kind.idsName]: [scheduledId] })
      const [sentence] = await read(`/api/v1/dependents?of=storage&id=${volumeId}`)
      expect(sentence).toBe(`Schedules ${schedule.draft.name}: no longer scan it.`)
      await remove(`${kind.path}/${id}`)
      expect(await runSchedule(schedule)).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('no longer set up'),
      })
      await pauseSchedule(schedule)
    },
  },
]

export const ofStorages: Cell[] = [
  ...kinds.flatMap(ofKind),
  cell('Schedule that names it and others', 'Scans the others, and says what it left out', async () => {
    const [films, songs] = [await newStorage(), await newStorage()]
    const schedule = await newSchedule('SCAN_STORAGES', { storageIdToPath: { [films.id]: '', [songs.id]: '/a' } })
    await removeStorage(films)
    const { outcome, reason, jobId } = await runSchedule(schedule)
    expect({ outcome, reason }).toEqual({ outcome: 'started', reason: `Left out: ${films.id} (no longer set up)` })
    await cancel(jobId ?? 0)
    await pauseSchedule(schedule)
  }),
  cell('Alert about space', 'Reports that it can’t be evaluated; it can be paused and corrected', () =>
    goneAlert('VOLUME_SPACE_ALERT', { threshold: 80 }),
  ),
  cell('Alert about failed scans', 'Same', () => goneAlert('SCAN_FAILED_ALERT', {})),
  cell('Alert about overdue scans', 'Same', () => goneAlert('SCAN_OVERDUE_ALERT', { days: 3 })),
  cell('Alert of all storages', 'Watches the others', async () => {
    const films = await newStorage()
    const alert = await newSchedule('SCAN_OVERDUE_ALERT', { days: 365, resourceIds: [], all: true })
    await removeStorage(films)
    expect(await runSchedule(alert)).not.toMatchObject({ reason: expect.stringContaining('no longer set up') })
  }),
  cell('Data of a report', 'Runs fail with the reason, because the rest would have another meaning', async () => {
    const [films, songs] = [await newScanned(), await newScanned()]
    const [references, comparison] = [films, songs].map(({ id }) => [{ type: 'VOLUME', id, path: '/' }])
    const id = await newReport({ type: 'UNIQUE', parameters: { references, comparison } })
    await removeStorage(films)
    expect(await runReport(id)).toEqual({
      status: 'FAILURE',
      reason: `Storage ${films.name} of the report no longer exists`,
    })
    expect((await reportOf(id)).parameters.references).toMatchObject([{ volumeName: 'Invalid' }])
  }),
  cell('Condition of a report', 'Finds nothing there; a check can’t pass', async () => {
    const films = await newScanned()
    const checks = [{ rule: 'MORE_FILES_THAN', value: 5, level: 'FAIL' }]
    const id = await newReport({ parameters: { searchQueryNode: queryOf(films.id) }, checks })
    expect(await read(`/api/v1/dependents?of=storage&id=${films.id}`)).toHaveLength(1)
    expect(await runReport(id)).toMatchObject({ status: 'SUCCESS' })
    await removeStorage(films)
    expect(await runReport(id)).toMatchObject({ status: 'SUCCESS', reason: expect.stringContaining(films.name) })
    expect((await reportOf(id)).check.state).toBe('UNKNOWN')
  }),
  cell('Folder of a project', 'Stays in the project, which can still be changed', async () => {
    const films = await newScanned()
    const draft = {
      name: unique('Rushes'),
      description: '',
      allocatedSize: 1_000,
      paths: [{ volumeId: films.id, path: '/' }],
    }
    const id = await create('/api/projects', draft)
    await removeStorage(films)
    await admin('PUT', '/api/projects', { ...draft, id, name: unique('Renamed') }).expect(200)
    const folders = db.selectFrom('projectFolders').select(['volumeId', 'path']).where('projectId', '=', id)
    expect(await folders.execute()).toEqual([{ volumeId: films.id, path: '/' }])
  }),
  cell('Saved search', 'Stays; it finds nothing there', async () => {
    const films = await newStorage()
    const query = `volumeId=${films.id}`
    const id = await create('/api/v1/savedSearches', { name: unique('Films'), query })
    await removeStorage(films)
    expect(await elements('/api/v1/savedSearches')).toContainEqual(expect.objectContaining({ id, query }))
    expect(await elements(`/api/files/search?${query}`)).toEqual([])
  }),
  cell('Folder in metrics', 'Disappears from the list, and its metric ends', async () => {
    const films = await newStorage()
    const folders = [{ storageId: films.id, path: '/a' }]
    await admin('PUT', '/api/v1/metrics/folders', { folders }).expect(204)
    await removeStorage(films)
    expect(await read('/api/v1/metrics/folders')).toEqual([])
  }),
  cell('Path mapping', 'Disappears from the lists; its credentials can be deleted', async () => {
    const films = await newScanned()
    const config = await create('/api/v1/storageManager/configs', { name: unique('MDC'), host: 'mdc' })
    const common = { volumeId: films.id, dataintellPath: films.path }
    const lists = [
      '/api/v1/storageManager/volumeMappings',
      '/api/v1/soda/volumeMappings',
      '/api/v1/archiwares/volumeMapping',
    ]
    const drafts = [
      { ...common, storageManagerConfigId: config, storageManagerPath: '/sn' },
      { ...common, sodaStorageId: 'st', sodaPath: '/' },
      { ...common, archiwarePath: '/p5' },
    ]
    for (const [i, list] of lists.entries()) await create(list, drafts[i] ?? {})
    await remove(`/api/v1/storageManager/configs/${config}`, 409)
    await removeStorage(films)
    for (const list of lists)
      expect(await elements(list)).not.toContainEqual(expect.objectContaining({ volumeId: films.id }))
    await remove(`/api/v1/storageManager/configs/${config}`)
  }),
  cell('Waiting or running scan', 'Refused: delete the storage after the scan', async () => {
    const films = await newStorage()
    const jobId = await startScan(films)
    const { body } = await remove(`/api/volumeSettings/${films.id}`, 409)
    expect(body.message).toContain(`A scan of ${films.name} is waiting or running`)
    await cancel(jobId)
    await removeStorage(films)
  }),
  cell('Open action on its files', 'Continues', async () => {
    const films = await newScanned()
    const { jobId } = (await startPlan(await planArchive(await p5Credentials(), films)).expect(200)).body
    await removeStorage(films)
    expect(await startTask(jobId)).toMatchObject({ type: 'action' })
    await cancel(jobId)
  }),
  cell('Open StorNext action', 'Fails with the reason: its path configuration is gone', async () => {
    const films = await newScanned()
    const storageManagerConfigId = await create('/api/v1/storageManager/configs', { name: unique('MDC'), host: 'mdc' })
    const mapping = {
      volumeId: films.id,
      storageManagerConfigId,
      dataintellPath: films.path,
      storageManagerPath: '/sn',
    }
    await create('/api/v1/storageManager/volumeMappings', mapping)
    const jobId = await startAction('ARCHIVE_STORAGE_MANAGER_FILES', { dataIntellPaths: [films.path] })
    await removeStorage(films)
    const reason = 'The storage no longer has a Quantum StorNext path configuration'
    expect(await startTask(jobId)).toEqual({ type: 'over', reason })
    expect(await jobOf(jobId)).toMatchObject({ status: 'FAILURE', result: { reason } })
  }),
  {
    call: 'DELETE /v1/archiwares/:id',
    refers: 'Open restore from it',
    happens: 'Continues while its credentials exist; without them it fails with the reason',
    run: async () => {
      const archiware = kinds.find(({ idsName }) => idsName === 'archiwareIds') ?? expect.unreachable()
      const { id, volumeId, credentials } = await newSource(archiware)
      await scanOf(volumeId)
      const [row] = (await elements('/api/v1/archiwares?size=1000')).filter((one) => one.id === id)
      const { indexId } = row as { id: number; indexId: string }
      const payload = {
        clientId: 'c',
        credentialsId: credentials,
        relocate: null,
        dataIntellPaths: [`p5://${indexId}/mnt`],
      }
      const jobId = await startAction('RESTORE_ARCHIWARE_FILES', payload)
      await remove(`/api/v1/archiwares/${id}`)
      await remove(`/api/v1/archiwares/credentials/${credentials}`)
      const reason = 'The credentials of this Archiware index were deleted'
      expect(await startTask(jobId)).toEqual({ type: 'over', reason })
    },
  },
  {
    call: 'DELETE /v1/imports/:id',
    refers: 'Snapshot of its day',
    happens: 'Deleted, with its entries; other days stay',
    run: async () => {
      const films = await newScanned()
      const query = { storageId: films.id, date: '2025-06-01', format: 'du' }
      const { id } = await commitAndWait(admin, (await upload(admin, query, '4\t/a/b\n8\t/a\n')).id)
      const days = async () => (await read(`/api/v1/imports?storageId=${films.id}`)).length
      expect(await days()).toBe(1)
      await remove(`/api/v1/imports/${id}`)
      expect(await elements(`/api/files/search?volumeId=${films.id}&indexingDate=2025-06-01`)).toEqual([])
      expect(await elements(`/api/files/search?volumeId=${films.id}`)).toHaveLength(2)
      expect(await days()).toBe(0)
    },
  },
  cell('Earlier snapshot', 'Keeps its files until the snapshot is deleted', async () => {
    const films = await newScanned({}, '2026-01-05')
    await newScanned()
    await removeStorage(films)
    const found = await elements(`/api/files/search?volumeId=${films.id}&indexingDate=2026-01-05`)
    expect(found).toHaveLength(2)
  }),
  cell('Agent, price book and credentials', 'Can then be deleted', async () => {
    const [agent, book] = [await newAgent(), await newPriceBook()]
    const films = await newStorage({ server: { id: agent }, storagePrice: { id: book } })
    await remove(`/api/servers/${agent}`, 409)
    await remove(`/api/v1/storage-prices/${book}`, 409)
    await removeStorage(films)
    await remove(`/api/servers/${agent}`)
    await remove(`/api/v1/storage-prices/${book}`)
    expect(
      await db.selectFrom('volumes').select(['agentId', 'storagePriceId']).where('id', '=', films.id).execute(),
    ).toEqual([{ agentId: agent, storagePriceId: book }])
  }),
]
