import { randomUUID } from 'node:crypto'
import { ask as askHost, forTest, stoppedClock } from '#agent/simulator/testing.ts'
import { startTransfers, type TransfersOptions, type TransfersSimulator } from './index.ts'

/** Starts a simulator for one test. Only the test moves its clock. */
export const simulator = (options: TransfersOptions = {}): Promise<TransfersSimulator> =>
  forTest(startTransfers({ clock: stoppedClock, ...options }))

type Options = { headers?: Record<string, string>; body?: string | object; base?: string }

/** Answer to a request for a token. */
export const askToken = (transfers: TransfersSimulator, form: Record<string, string> = {}, options: Options = {}) =>
  askHost(`POST ${options.base ?? transfers.url}/oauth/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: transfers.clientId,
      client_secret: transfers.clientSecret,
      ...form,
    }).toString(),
  })

export type Ask = Awaited<ReturnType<typeof session>>

/** Signs in, and returns a function for calls such as `GET storages`. */
export async function session(transfers: TransfersSimulator) {
  const { access_token: token } = (await askToken(transfers)).body
  return (call: string, { headers, body, base = transfers.url }: Options = {}) => {
    const [method = '', path = ''] = call.split(/ (.*)/s)
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    return askHost(`${method} ${base}/${path}`, {
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
      body,
    })
  }
}

type Changes = Record<string, unknown> & { paths?: string[]; folders?: string[]; to?: string; key?: string }

/** A job that copies files and folders of st-1 to a folder of st-2. */
export const jobRequest = ({ paths = [], folders = [], to = '/incoming', key: _, ...changes }: Changes) => {
  const location = (path: string, isDirectory: boolean) => {
    return { storageId: 'st-1', name: path.split('/').at(-1) ?? '', path, isDirectory }
  }
  return {
    name: 'Nightly copy',
    reference: 'di-1',
    transferType: 'COPY',
    conflictHandling: 'OVERWRITE',
    keepFolderStructure: false,
    target: { storageId: 'st-2', name: 'Cloud A', path: to, isDirectory: true },
    sources: [...paths.map((path) => location(path, false)), ...folders.map((path) => location(path, true))],
    ...changes,
  }
}

export const createJob = (ask: Ask, changes: Changes) =>
  ask('POST jobs', { headers: { 'idempotency-key': changes.key ?? randomUUID() }, body: jobRequest(changes) })

export const jobOf = async (ask: Ask, id = 'j-1') => (await ask(`GET jobs/${id}`)).body.data?.attributes

/** Runs a job to its end. */
export async function runJob(transfers: TransfersSimulator, ask: Ask, changes: Changes) {
  const { body } = await createJob(ask, changes)
  transfers.clock.advance(3_600_000)
  return jobOf(ask, body.data.id)
}

/** A simulator with the storages st-1, with the files /a, /b and /c, and st-2. */
export async function withFiles(options: TransfersOptions = {}) {
  const transfers = await simulator(options)
  for (const id of ['st-1', 'st-2']) transfers.addStorage(id)
  for (const path of ['/a', '/b', '/c']) transfers.addFile('st-1', path)
  return { transfers, ask: await session(transfers) }
}
