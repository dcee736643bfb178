import { expect } from 'vitest'
import {
  admin,
  cancel,
  type Cell,
  create,
  elements,
  jobOf,
  newAgent,
  newSchedule,
  newScanned,
  newStorage,
  p5Credentials,
  pauseSchedule,
  planAction,
  planArchive,
  read,
  remove,
  removeStorage,
  runSchedule,
  startAction,
  startPlan,
  startScan,
  startTask,
  unique,
} from './product.ts'
import { kinds, newSource } from './sources.ts'

const cell = (call: string, refers: string, happens: string, run: Cell['run']): Cell => ({ call, refers, happens, run })
const schedules = '/api/v1/schedules'

const agents: Cell[] = [
  cell('DELETE /servers/:id', 'Storage', 'Refused with the names of the storages', async () => {
    const agent = await newAgent()
    const films = await newStorage({ server: { id: agent } })
    expect((await remove(`/api/servers/${agent}`, 409)).body.message).toContain(`still scans ${films.name}`)
  }),
  cell(
    'DELETE /servers/:id',
    'Schedule of its storages',
    'Its runs fail with the reason; it can be paused and corrected',
    async () => {
      const agent = await newAgent()
      const schedule = await newSchedule('SCAN_SERVER', { serverId: agent })
      const { name } = schedule.draft
      expect(await read(`/api/v1/dependents?of=agent&id=${agent}`)).toEqual([`Schedules ${name}: fail.`])
      await remove(`/api/servers/${agent}`)
      expect(await runSchedule(schedule)).toMatchObject({
        outcome: 'failed',
        reason: expect.stringMatching(/^Agent Agent \d+ was deleted\. Choose another agent\.$/),
      })
      await pauseSchedule(schedule)
      const { body } = await admin('POST', schedules, schedule.draft).expect(400)
      expect(body.subErrors).toEqual([{ field: 'payload.serverId', message: 'must be an agent that exists' }])
    },
  ),
  cell('DELETE /servers/:id', 'Open task', 'Ends with the reason; tasks of other agents continue', async () => {
    const agent = await newAgent()
    const films = await newScanned({ server: { id: agent } })
    const jobId = await startAction('COMPARE_FILES', { dataIntellPaths: [films.path] })
    await removeStorage(films)
    const other = await startScan(await newStorage())
    await remove(`/api/servers/${agent}`)
    const job = await jobOf(jobId)
    expect(job.status).toBe('SCANNER_ERROR')
    expect(job.result.reason).toMatch(/^The agent Agent \d+ was deleted$/)
    expect((await jobOf(other)).status).toMatch(/NEW|AVAILABLE/)
    await cancel(other)
  }),
  cell('DELETE /servers/:id', 'Plan of an action', 'Can’t be started: its job would wait forever', async () => {
    const agent = await newAgent()
    const films = await newScanned({ server: { id: agent } })
    const plan = await planAction('COMPARE_FILES', { dataIntellPaths: [films.path] })
    await removeStorage(films)
    await remove(`/api/servers/${agent}`)
    const { body } = await startPlan(plan).expect(409)
    expect(body.message).toBe('The agent of this plan was deleted. Plan the action again.')
  }),
  cell('DELETE /servers/:id', 'Agents allowed for Iconik or SODA', 'Left out; the built-in agent answers', async () => {
    const agent = await newAgent()
    await admin('PUT', '/api/configurations', [{ name: 'sodaAgents', value: String(agent) }]).expect(200)
    await remove(`/api/servers/${agent}`)
    await admin('GET', '/api/v1/soda/storages').expect(200)
    await admin('PUT', '/api/configurations', [{ name: 'sodaAgents', value: '' }]).expect(200)
  }),
]

const credentials: Cell[] = kinds.flatMap((kind) => {
  const { path, create: make } = kind.credentials ?? {}
  if (!path || !make) return []
  const call = `DELETE ${path.replace('/api', '')}/:id`
  return [
    cell(call, 'Storage', 'Refused with the names of the storages', async () => {
      const source = await newSource(kind)
      expect((await remove(`${path}/${source.credentials}`, 409)).body.message).toContain('Assign other credentials')
      await remove(`${kind.path}/${source.id}`)
      await remove(`${path}/${source.credentials}`)
      expect(await elements(`${path}?size=1000`)).not.toContainEqual(
        expect.objectContaining({ id: source.credentials }),
      )
    }),
  ]
})

const systems: Cell[] = [
  cell('DELETE /v1/archiwares/credentials/:id', 'Open action', 'Fails with the reason', async () => {
    const id = await p5Credentials()
    const { jobId } = (await startPlan(await planArchive(id, await newScanned())).expect(200)).body
    await remove(`/api/v1/archiwares/credentials/${id}`)
    expect(await startTask(jobId)).toMatchObject({ type: 'over' })
    const { status, result } = await jobOf(jobId)
    expect([status, result.reason]).toEqual(['FAILURE', `There is no archiware credential ${id}`])
  }),
  cell(
    'DELETE /v1/storageManager/configs/:id',
    'Mapping of a storage',
    'Refused with the names of the storages',
    async () => {
      const { config } = await newMapping()
      expect((await remove(`/api/v1/storageManager/configs/${config}`, 409)).body.message).toContain('Assign other')
    },
  ),
  cell('DELETE /v1/storageManager/volumeMappings/:id', 'Open action', 'Fails with the reason', async () => {
    const { films, id } = await newMapping()
    const jobId = await startAction('ARCHIVE_STORAGE_MANAGER_FILES', { dataIntellPaths: [films.path] })
    await remove(`/api/v1/storageManager/volumeMappings/${id}`)
    const reason = 'The storage no longer has a Quantum StorNext path configuration'
    expect(await startTask(jobId)).toEqual({ type: 'over', reason })
  }),
  cell('DELETE /v1/soda/volumeMappings/:id', 'Open transfer', 'Fails with the reason', async () => {
    const films = await newScanned()
    const mapping = { volumeId: films.id, dataintellPath: films.path, sodaStorageId: 'st', sodaPath: '/' }
    const id = await create('/api/v1/soda/volumeMappings', mapping)
    const place = { name: 'In', path: '/in', storageId: 'st-2', isDirectory: true }
    const source = { name: 'a.mov', path: `${films.path}/a.mov`, storageId: String(films.id), isDirectory: false }
    const transfer = { name: '', transferType: 'COPY', conflictHandling: 'SKIP', target: place, sources: [source] }
    const jobId = await startAction('SODA_TRANSFER', transfer)
    await remove(`/api/v1/soda/volumeMappings/${id}`)
    const reason = 'The storage no longer has a SODA storage path configuration'
    expect(await startTask(jobId)).toEqual({ type: 'over', reason })
  }),
  cell('DELETE /v1/archiwares/volumeMapping/:id', 'Open action', 'Continues with the paths of its plan', async () => {
    const films = await newScanned()
    const mapping = { volumeId: films.id, dataintellPath: films.path, archiwarePath: '/p5' }
    const id = await create('/api/v1/archiwares/volumeMapping', mapping)
    const { jobId } = (await startPlan(await planArchive(await p5Credentials(), films)).expect(200)).body
    await remove(`/api/v1/archiwares/volumeMapping/${id}`)
    expect(await startTask(jobId)).toMatchObject({ type: 'action' })
    await cancel(jobId)
  }),
]

async function newMapping() {
  const films = await newScanned()
  const config = await create('/api/v1/storageManager/configs', { name: unique('MDC'), host: 'mdc' })
  const draft = {
    volumeId: films.id,
    storageManagerConfigId: config,
    dataintellPath: films.path,
    storageManagerPath: '/s',
  }
  return { films, config, id: await create('/api/v1/storageManager/volumeMappings', draft) }
}

export const ofSystems: Cell[] = [...agents, ...credentials, ...systems]
