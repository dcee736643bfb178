import { Agent, type RequestOptions, request } from 'node:https'
import { onTestFinished } from 'vitest'
import { encodedPath, type Path, type PowerScaleOptions, type PowerScaleSimulator, startPowerScale } from './index.ts'

/** Starts a cluster that ends with the test. */
export async function cluster(options: PowerScaleOptions = {}): Promise<PowerScaleSimulator> {
  const simulator = await startPowerScale(options)
  onTestFinished(() => simulator.close())
  return simulator
}

export type Response = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** Parsed body, with integers above 2^53 rounded. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** Sends one request. The body is JSON unless it is text. */
export async function send(
  { host, ca }: { host: string; ca: string },
  method: string,
  path: string,
  { headers = {}, body }: { headers?: RequestOptions['headers'] & object; body?: unknown } = {},
): Promise<Response> {
  const [hostname, port] = host.split(':')
  const agent = new Agent({ ca })
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  try {
    return await new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers: { ...type, ...headers } }, (response) => {
        const parts: Buffer[] = []
        response.on('error', reject).on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('latin1')
          const isJson = response.headers['content-type'] === 'application/json'
          const { statusCode: status = 0, headers } = response
          resolve({ status, headers, text, body: isJson ? JSON.parse(text) : undefined })
        })
      })
      sent.on('error', reject).end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
    })
  } finally {
    agent.destroy()
  }
}

const everyService = ['platform', 'namespace']
export const login = (
  simulator: PowerScaleSimulator,
  { username = 'scan', password = 'secret', host = simulator.host, services = everyService } = {},
) => send({ host, ca: simulator.ca }, 'POST', '/session/1/session', { body: { username, password, services } })

/** Headers of a session that a login has opened. */
export function headersOf({ headers }: Response, host: string) {
  const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '')
  const csrf = cookies.find((cookie) => cookie.startsWith('isicsrf='))?.slice('isicsrf='.length) ?? ''
  return { cookie: cookies.join('; '), 'x-csrf-token': csrf, referer: `https://${host}` }
}

/** Opens a session. Returns a function that sends requests in it. */
export async function session(simulator: PowerScaleSimulator, options: Parameters<typeof login>[1] = {}) {
  const host = options?.host ?? simulator.host
  const headers = headersOf(await login(simulator, options), host)
  return (method: string, path: string, body?: unknown) =>
    send({ host, ca: simulator.ca }, method, path, { headers, body })
}
export type Call = Awaited<ReturnType<typeof session>>

export const snapshots = '/platform/1/snapshot/snapshots'
export const jobs = '/platform/3/job/jobs'

/** Takes a snapshot and returns its id. */
export async function takeSnapshot(call: Call, name: string, path = '/ifs/data'): Promise<number> {
  return (await call('POST', snapshots, { name, path })).body.id
}

export const changelistJob = (older: number, newer: number) => ({
  type: 'ChangelistCreate',
  allow_dup: false,
  changelistcreate_params: { older_snapid: older, newer_snapid: newer },
})

/** Reads all pages of a list. */
export async function readAll(call: Call, path: string, key: string): Promise<Response['body'][]> {
  const rows: Response['body'][] = []
  for (let next: string | undefined = path; next;) {
    const { body } = await call('GET', next)
    rows.push(...body[key])
    next = body.resume ? `${path.split('?')[0]}?resume=${body.resume}` : undefined
  }
  return rows
}

export const namespace = (path: Path): string => `/namespace${encodedPath(path)}`
