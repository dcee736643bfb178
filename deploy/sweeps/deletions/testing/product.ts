import { createInbox } from 'nats'
import { expect } from 'vitest'
import { protocolVersion } from '#events/agents.ts'
import type { Role } from '#events/contract/needs.ts'
import type { JobStatus } from '#events/jobs/events.ts'
import type { ScheduleRun } from '#events/schedules/calls.ts'
import { subjects } from '#events/subjects.ts'
import { startActions } from '#server/work/actions/index.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { today } from '#server/platform/days.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { startReports } from '#server/work/reports/index.ts'
import { startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { simulatedRun } from '#server/scanning/scans/testing/simulatedAgent.ts'
import { runDue } from '#server/work/schedules/index.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testUser } from '#server/testing.ts'
import { openAllCalls } from '../../testing/allCalls.ts'

/** One cell of the matrix: what happens to `refers` when the call deletes what it refers to. */
export type Cell = { call: string; refers: string; happens: string; run: () => Promise<unknown> }

const all = await openAllCalls()
export const { platform, app, admin, calls } = all
export const { db, nats } = platform

await testUser(db, ['ROLE_ADMIN'], 'the password of an administrator')

const [scanning, actions] = [await startScanning(platform), startActions(platform)]
atEndOfFile(async () => {
  await actions.stop()
  await scanning.stop()
})

type Ask = typeof admin

let made = 0
export const unique = (what: string) => `${what} ${(made += 1)}`
export async function create(path: string, draft: object, ask: Ask = admin): Promise<number> {
  const { status, text, body } = await ask('POST', path, draft)
  if (status !== 200) expect.unreachable(`${path} answered ${status} ${text} to ${JSON.stringify(draft)}`)
  return body.id
}
export const remove = (path: string, status = 204) => admin('DELETE', path).expect(status)
export const read = async (path: string, ask: Ask = admin) => (await ask('GET', path).expect(200)).body
export const elements = async (path: string, ask?: Ask) => (await read(path, ask)).elements as { id: number }[]

/** A user with a session and an address. */
export async function newUser(roles: Role[] = ['ROLE_ADMIN']) {
  const { id, name } = await testUser(db, roles)
  const email = `${name}@example.com`
  await db.updateTable('users').set({ email, confirmedEmail: email }).where('id', '=', id).execute()
  return { id, name, ask: asUser(app, await openSession(db, id, '127.0.0.1')) }
}
export const removeUser = ({ id }: { id: number }) => remove(`/api/v1/users/${id}`)

export const newPriceBook = () =>
  create('/api/v1/storage-prices', { description: unique('Book'), currencySymbol: '$', price: 1 })
const storagePrice = { id: await newPriceBook() }
/** An agent that never connects. */
export const newAgent = () => create('/api/servers', { name: unique('Agent') })

/** A file storage that no one has scanned. */
export async function newStorage(more: object = {}) {
  const name = unique('Films')
  const path = `/mnt/${name.replace(' ', '')}`
  const id = await create('/api/volumeSettings', { name, path, storagePrice, ...more })
  return { id, name, path }
}
/** A file storage with a scan of two files on the day. */
export async function newScanned(more: object = {}, indexingDate = today()) {
  const storage = await newStorage(more)
  await scanOf(storage.id, indexingDate)
  return storage
}
/** Scans two files of a storage. */
export async function scanOf(volumeId: number, indexingDate = today()): Promise<void> {
  const entries = ['a.mov', 'b.mov'].map((file, i) => ({ path: `/${file}`, size: 10, inode: i + 2 }))
  await scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries }])
}
export const removeStorage = ({ id }: { id: number }) => remove(`/api/volumeSettings/${id}`)

const cron = '0 0 0 * * ?'
const schedules = '/api/v1/schedules'
const group = (jobClass: string) => (jobClass.endsWith('ALERT') ? 'ALERT' : 'SCANNER')
/** A schedule or alert of every midnight. */
export async function newSchedule(jobClass: string, payload: object, ask: Ask = admin, more: object = {}) {
  const draft = { name: unique(jobClass), cron, jobGroup: group(jobClass), jobClass, payload, ...more }
  const id = await create(schedules, draft, ask)
  return { id, draft }
}
type NewSchedule = Awaited<ReturnType<typeof newSchedule>>

/** Runs all schedules that are due two days from now, and returns the last run of this one. */
export async function runSchedule({ id, draft }: NewSchedule, ask: Ask = admin): Promise<ScheduleRun> {
  await runDue(platform, new Date(Date.now() + (made += 1) * 2 * 86_400_000))
  const listed: { id: number; lastRun: ScheduleRun }[] = await read(`${schedules}?jobGroup=${draft.jobGroup}`, ask)
  return listed.find((one) => one.id === id)?.lastRun ?? expect.unreachable(`Schedule ${id} did not run`)
}
/** Renames and pauses a schedule, as an administrator would after the deletion. */
export const pauseSchedule = ({ id, draft }: NewSchedule) =>
  admin('PUT', `${schedules}/${id}`, { ...draft, name: unique('Paused'), paused: true }).expect(204)

const templates = '/api/v1/reports/templates'
export const queryOf = (volumeId?: number) => ({
  searchQueries: [volumeId === undefined ? { name: { wildcard: '*a*' } } : { volumeId: { values: [volumeId] } }],
})
/** A report of a query, or of the parameters. */
export const newReport = (of: object = {}, ask: Ask = admin) =>
  create(
    templates,
    { name: unique('Report'), type: 'SEARCH_QUERY', parameters: { searchQueryNode: queryOf() }, ...of },
    ask,
  )
export const reportOf = (id: number, ask?: Ask) => read(`${templates}/${id}`, ask)

const ended: JobStatus[] = ['SUCCESS', 'WARNING', 'FAILURE', 'SCANNER_ERROR', 'CANCELLED']
export const jobOf = async (id: number) => read(`/api/v1/jobs/${id}`)
/** Waits for the end of a report's newest job, and returns its status. */
async function endOfReport(id: number): Promise<{ status: JobStatus; reason: string | undefined }> {
  await expect
    .poll(async () => (await reportOf(id)).jobs[0]?.status, { timeout: 30_000 })
    .toSatisfy((status) => ended.includes(status))
  const { status, result } = await jobOf((await reportOf(id)).jobs[0].id)
  return { status, reason: result?.reason }
}
export async function runReport(id: number) {
  await admin('POST', `${templates}/${id}/jobs`).expect(200)
  return endOfReport(id)
}
/** Runs a report by its schedule, which was last due two days ago. */
export async function runReportWhenDue(id: number) {
  const past = new Date(Date.now() - 2 * 86_400_000)
  await db.updateTable('reportTemplates').set({ nextDueAt: past, dueAfter: past }).where('id', '=', id).execute()
  const reports = startReports(platform)
  await expect.poll(async () => (await reportOf(id)).jobs.length, { timeout: 15_000 }).toBeGreaterThan(0)
  await reports.stop()
  return endOfReport(id)
}

export const deliveries = () => db.selectFrom('deliveries').selectAll().orderBy('id').execute()
export const forgetDeliveries = () => db.deleteFrom('deliveries').execute()

const archive = { planId: '1', clientId: 'c', serverId: 1, meta: [], indexroot: '', deltaScanAfter: false }
/** Plans to archive the files of a storage. */
export async function planArchive(credentialsId: number, { path }: { path: string }, more: object = {}, ask = admin) {
  const payload = { ...archive, credentialsId, dataIntellPaths: [path], ...more }
  return create('/api/v1/actions/plans', { jobType: 'ARCHIVE_ARCHIWARE_FILES', payload }, ask)
}
export const startPlan = (plan: number) => admin('POST', `/api/v1/actions/plans/${plan}/start`)
/** Plans and starts an action of any kind; returns its job. */
export const planAction = (jobType: string, payload: object, query = '') =>
  create(`/api/v1/actions/plans${query}`, { jobType, payload })
export async function startAction(...action: Parameters<typeof planAction>): Promise<number> {
  return (await startPlan(await planAction(...action)).expect(200)).body.jobId
}
/** Starts a scan of a storage and returns its job. */
export async function startScan({ id }: { id: number }, ask: Ask = admin): Promise<number> {
  const { body } = await ask('POST', '/api/v1/scans/storages', { storageIdToPath: { [id]: '' } }).expect(200)
  return body.jobId
}
export const cancel = (jobId: number) => admin('PUT', `/api/v1/jobs/${jobId}`, { status: 'CANCELLED' }).expect(200)
export const p5Credentials = () =>
  create('/api/v1/archiwares/credentials', {
    name: unique('P5'),
    username: 'ana',
    password: 'p',
    url: 'http://p5:8000',
  })

/** Starts a job's first task as its agent does, and returns the answer. */
export async function startTask(jobId: number): Promise<{ type: string; reason?: string }> {
  const { tasks } = await jobOf(jobId)
  const request = { taskId: tasks[0].id, run: simulatedRun, protocol: protocolVersion }
  const options = { timeout: 5_000, noMux: true, reply: createInbox('_INBOX_agent-1') }
  return (await nats.connection.request(subjects.startTask(1), JSON.stringify(request), options)).json()
}
