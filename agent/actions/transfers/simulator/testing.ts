import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { startTransfers, type TransfersOptions, type TransfersSimulator } from './index.ts'

/** 21 November 2026, 10:00 UTC. */
export const start = Date.UTC(2026, 10, 21, 10)

/** Starts a simulator for one test. Only the test moves its clock. */
export async function simulator(options: TransfersOptions = {}): Promise<TransfersSimulator> {
  const started = await startTransfers({ clock: { start, speed: 0 }, ...options })
  onTestFinished(() => started.close())
  return started
}

type Options = { headers?: Record<string, string>; body?: string | object; base?: string }

async function fetched(url: string, init: RequestInit) {
  const response = await fetch(url, init)
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of many shapes
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as any }
}

/** Answer to a request for a token. */
export const askToken = (transfers: TransfersSimulator, form: Record<string, string> = {}, options: Options = {}) =>
  fetched(`${options.base ?? transfers.url}/oauth/token`, {
    method: 'POST',
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
    return fetched(`${base}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
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
