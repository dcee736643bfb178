import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { onOneServer, testedCluster } from '../clickhouse/cluster/testing.ts'
import { openEmbedded, setParameters } from '../clickhouse/embedded.ts'
import { literal } from '../clickhouse/sql.ts'

/**
 * A separate program for tests: ClickHouse's HTTP interface for the embedded engine. Each request has its own
 * connection, like a server without sessions. `node httpBridge.ts <folder> <port> <memory in bytes> [cluster]` sends its port
 * to its parent process. With `cluster` it is the only server of a cluster.
 */
const [folder = '', port = '0', memory, cluster] = process.argv.slice(2)
const configuration = cluster === undefined ? undefined : testedCluster.configuration
const engine = openEmbedded(folder, { memory: memory ? Number(memory) : undefined, configuration })
const bodies = join(folder, 'bodies')
mkdirSync(bodies, { recursive: true })

/** Settings of the HTTP interface itself, unknown to the engine. */
const ofTheInterface = [
  'query',
  'query_id',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'enable_http_compression',
]
const native = ' FORMAT Native'
let requests = 0
const isSetting = (key: string) => !ofTheInterface.includes(key) && !/^(param_|http_|default_format)/.test(key)

const server = createServer((request, response) => void answer(request, response))
server.listen(Number(port), '127.0.0.1')
await once(server, 'listening')
server.on('error', () => {})
process.send?.((server.address() as AddressInfo).port)
process.once('disconnect', () => process.exit())

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const body = await readBody(request)
  if (pathname === '/ping') return void response.end('Ok.\n')
  response.setHeader('X-ClickHouse-Query-Id', searchParams.get('query_id') ?? '')
  const client = engine.connect()
  const file = join(bodies, String(++requests))
  try {
    const statement = statementOf(searchParams, body, file)
    const { stream } = await client.exec({ query: cluster === undefined ? statement : onOneServer(statement) })
    const answered = await buffer(stream)
    response.setHeader('X-ClickHouse-Summary', JSON.stringify({ read_rows: '0', written_rows: '0', elapsed_ns: '0' }))
    send(request, response, searchParams, answered)
  } catch (error) {
    fail(response, error as Error)
  } finally {
    rmSync(file, { force: true })
    await client.close()
  }
}

/**
 * With `query` in the address the body is the data of an INSERT, otherwise the statement. A statement of the embedded
 * engine can't carry Native data, so the data is read from a file.
 */
function statementOf(search: URLSearchParams, body: Buffer, file: string): string {
  const entries = [...search]
  const parameters = entries.filter(([key]) => key.startsWith('param_'))
  const settings = entries.filter(([key]) => isSetting(key)).map(([key, value]) => `SET ${key} = '${value}'; `)
  const query = search.get('query')
  let statement = query === null ? body.toString() : body.length === 0 ? query : `${query}\n${body.toString()}`
  if (query?.endsWith(native)) {
    writeFileSync(file, body)
    const once = `deduplicate_insert_select = 'force_enable'`
    statement = `${query.slice(0, -native.length)}, ${once} SELECT * FROM file(${literal(file)}, 'Native')`
  }
  return (
    settings.join('') + setParameters(parameters.map(([key, value]) => [key.slice('param_'.length), value])) + statement
  )
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const body = await buffer(request)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

function send(request: IncomingMessage, response: ServerResponse, search: URLSearchParams, answer: Buffer): void {
  const packed = search.get('enable_http_compression') === '1' && /gzip/.test(request.headers['accept-encoding'] ?? '')
  if (packed) response.setHeader('Content-Encoding', 'gzip')
  response.end(packed ? gzipSync(answer) : answer)
}

const status: Record<string, number> = { '60': 404, '62': 400, '394': 499 }

function fail(response: ServerResponse, error: Error & { code?: string; type?: string }): void {
  const { code = '0', type = 'UNKNOWN_EXCEPTION', message } = error
  response.writeHead(status[code] ?? 500, { 'X-ClickHouse-Exception-Code': code })
  response.end(`Code: ${code}. DB::Exception: ${message} (${type}) (version 26.7.1.1)\n`)
}
