import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { certificate } from '#agent/simulator/certificate.ts'

/** A server on 127.0.0.1; port 0 means any. */
async function listening(server: Server, port: number): Promise<number> {
  // Senders that are killed are part of the tests.
  server.on('error', () => undefined)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** A receiver of syslog over TLS, which reads each message by its length in octets, and throws for anything else between messages. */
export async function startSyslogReceiver(
  received: (message: string) => void,
  { port = 0, opened = (_: TLSSocket): boolean => true, broken = (_: Error): void => undefined } = {},
) {
  const server = createTlsServer({ ...certificate }, (socket) => {
    socket.on('error', () => undefined)
    if (!opened(socket)) return
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (part: Buffer) => {
      rest = Buffer.concat([rest, part])
      for (;;) {
        const space = rest.indexOf(0x20)
        const length = Number(rest.toString('latin1', 0, Math.max(0, space)))
        if (space > 0 && !(length > 0)) return broken(new Error(`No length: ${rest.toString('utf8', 0, 50)}`))
        if (space < 1 || rest.length < space + 1 + length) return
        received(rest.toString('utf8', space + 1, space + 1 + length))
        rest = rest.subarray(space + 1 + length)
      }
    })
    socket.on('end', () => rest.length > 0 && broken(new Error('Ended within a message')))
  })
  server.on('tlsClientError', () => undefined)
  return { server, port: await listening(server, port) }
}

export async function startDatagramReceiver(received: (message: string) => void, port = 0) {
  const socket = createSocket('udp4', (message) => received(message.toString()))
  await new Promise<void>((done) => socket.bind(port, '127.0.0.1', done))
  return { socket, port: socket.address().port }
}

export type Posted = { url: string; headers: IncomingHttpHeaders; body: string }

/** A receiver of OTLP logs and of webhooks over HTTPS, or HTTP. */
export async function startHttpReceiver(
  received: (posted: Posted, response: ServerResponse) => void,
  { port = 0, isPlain = false } = {},
) {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    received({ url: request.url ?? '', headers: request.headers, body }, response)
  }
  const handle: RequestListener = (...parts) => void answer(...parts).catch(() => undefined)
  const server = isPlain ? createHttpServer(handle) : createHttpsServer({ ...certificate }, handle)
  return { server, port: await listening(server, port) }
}

/** Parts of a message of RFC 5424. Throws if it isn't one. */
export function readSyslog(message: string) {
  const parts =
    /^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([!-~]{1,255}) ([!-~]{1,48}) ([!-~]{1,128}) ([!-~]{1,32}) \[([^\s\]="]{1,32})((?: [^\s\]="]{1,32}="(?:\\["\\\]]|[^"\\\]])*")*)\] (\uFEFF?)(.*)$/su.exec(
      message,
    )
  if (!parts) throw new Error(`No message of RFC 5424: ${message.slice(0, 200)}`)
  const [, priority, at, host, app, , type, structure, given = '', mark, text = ''] = parts
  const params = [...given.matchAll(/ ([^\s\]="]+)="((?:\\["\\\]]|[^"\\\]])*)"/gu)].map(([, name = '', value = '']) => [
    name,
    value.replace(/\\(["\\\]])/g, '$1'),
  ])
  const named: Record<string, string> = Object.fromEntries(params)
  return {
    priority: Number(priority),
    at,
    host,
    app,
    type,
    structure,
    hasMark: mark !== '',
    text,
    params: named,
  }
}

type OtlpValue = { stringValue?: string; intValue?: string }
type OtlpRecord = {
  timeUnixNano: string
  severityNumber: number
  eventName: string
  body: OtlpValue
  attributes: { key: string; value: OtlpValue }[]
}

/** Resource and records of a request of OTLP in JSON. */
export function readOtlp(body: string) {
  const { resourceLogs } = JSON.parse(body) as {
    resourceLogs: { resource: { attributes: OtlpRecord['attributes'] }; scopeLogs: { logRecords: OtlpRecord[] }[] }[]
  }
  const plain = (attributes: OtlpRecord['attributes']) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))
  return resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map((record) => ({ ...record, resource: plain(resource.attributes), ...plain(record.attributes) })),
    ),
  ) as (OtlpRecord & { resource: Record<string, string>; 'dataintell.seq': number; 'user.name': string })[]
}
