import type { IncomingHttpHeaders } from 'node:http'

export type Incoming = {
  /** Number of the node that received the request, from 0. */
  node: number
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A request that the cluster has answered. Headers with secrets are left out. */
export type RequestRecord = {
  node: number
  method: string
  /** Address with its arguments. */
  path: string
  headers: Record<string, string | string[] | undefined>
  /** Undefined where the connection was closed without a response. */
  status: number | undefined
  /** Time of the cluster's clock, in seconds. */
  time: number
}

const secrets = new Set(['cookie', 'authorization', 'x-csrf-token'])
const maxRecords = 100_000

/** Record of the requests. `log` has the last 100,000. */
export class Requests {
  count = 0
  /** Number of requests that are being answered, and the largest number so far. */
  open = 0
  maxOpen = 0
  log: RequestRecord[] = []
  onRequest: ((record: RequestRecord) => void) | undefined

  add(
    request: Pick<Incoming, 'node' | 'method' | 'headers'> & { url: string; status: number | undefined; time: number },
  ): void {
    const { node, method, url: path, status, time } = request
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !secrets.has(name)))
    const record = { node, method, path, headers, status, time }
    this.count++
    this.log.push(record)
    if (this.log.length > 2 * maxRecords) this.log = this.log.slice(-maxRecords)
    this.onRequest?.(record)
  }

  /** Requests that match, such as `/^GET \/namespace/`. */
  matching(match: RegExp): RequestRecord[] {
    return this.log.filter(({ method, path }) => match.test(`${method} ${path}`))
  }

  clear(): void {
    this.count = 0
    this.maxOpen = this.open
    this.log = []
  }
}
