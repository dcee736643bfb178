import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import type { TlsPorts } from './testing/trustedConnections.ts'

const folder = testFolder('authority')
const [authority, key] = [join(folder, 'authority.pem'), join(folder, 'key.pem')]
writeFileSync(authority, certificate.cert)
writeFileSync(key, certificate.key)

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEndOfFile(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Speaks the beginning of Postgres' protocol, up to an error that shows that TLS was agreed on. */
const postgres = createTcpServer((near) => {
  near.on('error', () => {})
  near.once('data', () => {
    near.write('S')
    const safe = new TLSSocket(near, { ...certificate, isServer: true }).on('error', () => {})
    const error = Buffer.from('SFATAL\0C57P03\0Mreached by TLS\0\0')
    const length = Buffer.alloc(4)
    length.writeInt32BE(error.length + 4)
    safe.once('data', () => safe.end(Buffer.concat([Buffer.from('E'), length, error])))
  })
})

async function startNats(): Promise<number> {
  const args = ['-a', '127.0.0.1', '-p', '-1', '--tls', '--tlscert', authority, '--tlskey', key]
  const child = spawn(inject('stores').natsProgram, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  atEndOfFile(() => void child.kill('SIGKILL'))
  for await (const line of createInterface(child.stderr)) {
    const [, port] = /client connections on 127\.0\.0\.1:(\d+)/.exec(line) ?? []
    if (!port) continue
    child.stderr.resume()
    return Number(port)
  }
  throw new Error('nats-server ended')
}

const ports: TlsPorts = {
  https: await portOf(createServer(certificate, (_, response) => void response.end('Ok.\n'))),
  postgres: await portOf(postgres),
  nats: await startNats(),
  mail: (await testMailServer()).port,
  mailByTls: (await testMailServer({ secure: true })).port,
}

/** The outcome of each kind of connection in a process with these variables. */
async function connections(environment: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const program = join(import.meta.dirname, 'testing/trustedConnections.ts')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(ports)], { env })
  return JSON.parse(stdout) as Record<string, string>
}

test.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])(
  'the authority in %s is trusted by every connection',
  async (name) => {
    const results = await connections({ [name]: authority })
    expect(Object.keys(results)).toHaveLength(10)
    expect(results).toEqual(Object.fromEntries(Object.keys(results).map((kind) => [kind, 'trusted'])))
  },
)

test('without it no connection is made', async () => {
  for (const [kind, result] of Object.entries(await connections({})))
    expect([kind, result]).toEqual([
      kind,
      expect.stringMatching(/self-signed certificate|DEPTH_ZERO_SELF_SIGNED_CERT|not trusted/),
    ])
})
