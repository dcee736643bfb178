import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

export type Tls = { key: string; cert: string }

const firstByteOfTls = 0x16

/**
 * Listens on a port of 127.0.0.1, by HTTP or TLS. Plain HTTP to a port with TLS gets status 400. `drop` closes the connections, and refuses
 * others for some time.
 */
export async function listen(listener: RequestListener, port: number, tls: Tls | undefined) {
  const server = tls ? tlsOnly(createTlsServer(tls, listener)) : createServer(listener)
  const sockets = new Set<Socket>()
  let downUntil = 0
  server.on('connection', (socket: Socket) => {
    if (performance.now() < downUntil) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop(downMs: number) {
      downUntil = performance.now() + downMs
      drop()
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        drop()
      }),
  }
}

/** Passes connections to a server with TLS, and answers others with status 400. */
const tlsOnly = (secure: ReturnType<typeof createTlsServer>): Server =>
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

/** Whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const piece of request) text += String(piece)
  return text
}

/** Sends the body of an answer, or only its first bytes before the connection is closed. */
export function endWith(response: ServerResponse, bytes: Buffer, resetAfterBytes?: number): void {
  if (resetAfterBytes === undefined || resetAfterBytes >= bytes.length) response.end(bytes)
  else response.write(bytes.subarray(0, resetAfterBytes), () => response.destroy())
}
