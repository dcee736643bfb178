import { X509Certificate } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

export type Tls = { key: string; cert: string }

/** SHA-256 of a certificate as Node shows it, in hex with colons. */
export const fingerprintOf = ({ cert }: Tls): string => new X509Certificate(cert).fingerprint256

const firstByteOfTls = 0x16

/** Clients keep their connections for less time, so that none ends while a request is sent. */
const keepAliveTimeoutMs = 60_000

/**
 * A port of 127.0.0.1, by HTTP or TLS, that can be stopped and started again. Plain HTTP to a port with TLS gets status 400. `drop` closes
 * the connections, and closes new ones at once for some time.
 */
export async function newPort(listener: RequestListener, port = 0, tls?: Tls) {
  const sockets = new Set<Socket>()
  let downUntil = 0
  const accept = (socket: Socket) => {
    if (performance.now() < downUntil) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  let server: Server | undefined = await listenOn(port, listener, tls, accept)
  const used = (server.address() as AddressInfo).port
  return {
    port: used,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${used}`,
    /** Closes the connections. New ones are refused. */
    async stop(): Promise<void> {
      const stopped = server
      server = undefined
      if (!stopped) return
      await new Promise<void>((resolve) => {
        stopped.close(() => resolve())
        dropAll()
      })
    },
    async start(): Promise<void> {
      server ??= await listenOn(used, listener, tls, accept)
    },
    drop(downMs: number): void {
      downUntil = performance.now() + downMs
      dropAll()
    },
  }
}

async function listenOn(
  port: number,
  listener: RequestListener,
  tls: Tls | undefined,
  accept: (socket: Socket) => void,
): Promise<Server> {
  const http = tls
    ? createTlsServer({ ...tls, keepAliveTimeout: keepAliveTimeoutMs }, listener)
    : createServer({ keepAliveTimeout: keepAliveTimeoutMs }, listener)
  const server = tls ? tlsOnly(http) : http
  server.on('connection', accept)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return server
}

/** Passes connections to a server with TLS, and answers others with status 400. */
const tlsOnly = (secure: Server): Server =>
  createTcpServer((socket) => {
    socket.once('data', (bytes) => {
      const isTls = (bytes as Buffer)[0] === firstByteOfTls
      if (!isTls) return socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      socket.pause()
      socket.unshift(bytes)
      secure.emit('connection', socket)
      process.nextTick(() => socket.resume())
    })
  })
