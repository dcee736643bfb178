import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectNats, nkeyAuthenticator } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig as agentConfig } from '#agent/config.ts'
import { startAgent } from '#agent/testing/startAgent.ts'
import { readConfig } from '#server/platform/config.ts'
import { certificate as another } from '#agent/simulator/certificate.ts'
import { makeTree } from './testing/tree.ts'
import { patient, startWithTls } from './testing/agentsByTls.ts'
import { slowed } from './testing/slowed.ts'

const { scratch, file, cert, key, listening, product, call, addAgent, infoOf, newestScan } = await startWithTls()
const strangers = file('another.crt', another.cert)
const tree = join(scratch, 'tree')
const { files } = makeTree(tree, 5_000)

test('the product does not listen for agents without a certificate, and explains how to create one', () => {
  const begin = (environment: NodeJS.ProcessEnv) => () => readConfig({ AGENTS_LISTEN: '0.0.0.0:4222', ...environment })
  expect(begin({})).toThrow(/AGENTS_TLS_CERT: must name a certificate.*openssl req -x509.*; AGENTS_TLS_KEY: must name/)
  expect(begin({ AGENTS_LISTEN: '4222' })).toThrow('AGENTS_LISTEN: must be an address and a port')
  expect(begin({ ...listening, NATS_URL: 'nats://elsewhere' })).toThrow('AGENTS_LISTEN: is only for the embedded NATS')
})

test('of strangers the oldest connections end, and an agent connects and stays between twelve hundred of them', async () => {
  const { natsUrl, seed, AGENT_SEED_FILE } = await addAgent('crowded')
  const { hostname, port } = new URL(natsUrl)
  const open = new Set<Socket>()
  const stranger = (localAddress: string) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    open.add(socket.on('error', () => {}).on('close', () => void open.delete(socket)))
    onTestFinished(() => void socket.destroy())
    return Promise.race([once(socket, 'data'), once(socket, 'close')])
  }
  const flood = (count: number) => Promise.all(Array.from({ length: count }, (_, i) => stranger(`127.0.1.${i % 60}`)))
  await flood(600)
  await expect.poll(() => open.size).toBeLessThanOrEqual(200)
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed))
  const { tls } = agentConfig({ AGENT_SEED_FILE, NATS_URL: natsUrl, NATS_CA: cert })
  const agent = await connectNats({ servers: natsUrl, authenticator, ...(tls && { tls }), reconnect: false })
  await flood(600)
  await agent.flush()
  expect(agent.isClosed()).toBe(false)
  await agent.close()
})

test('a client without TLS gets a message and is disconnected', async () => {
  const { natsUrl } = await addAgent('plain')
  const { hostname, port } = new URL(natsUrl)
  const socket = connect(Number(port), hostname)
  const [greeting] = (await once(socket, 'data')) as [Buffer]
  expect(JSON.parse(greeting.toString().slice('INFO '.length))).toMatchObject({
    tls_required: true,
    auth_required: true,
  })
  socket.write('CONNECT {}\r\nPING\r\n')
  const answered: Buffer[] = []
  socket.on('data', (bytes: Buffer) => answered.push(bytes)).on('error', () => {})
  await once(socket, 'close')
  expect(Buffer.concat(answered).includes('PONG')).toBe(false)
})

test('an agent connects to no server that it does not trust, and to none without TLS if TLS is required', async () => {
  const { natsUrl, AGENT_SEED_FILE, seed } = await addAgent('careful')
  const configured = (environment: NodeJS.ProcessEnv) => {
    const { natsUrl: servers, tls } = agentConfig({ AGENT_SEED_FILE, ...environment })
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed))
    return connectNats({ servers, authenticator, ...(tls && { tls }) })
  }
  const near = JSON.parse(readFileSync(join(scratch, 'data/nats/nats.conf'), 'utf8')) as { port: number }
  await expect(configured({ NATS_URL: natsUrl })).rejects.toThrow('self-signed certificate')
  await expect(configured({ NATS_URL: natsUrl, NATS_CA: strangers })).rejects.toThrow('self-signed certificate')
  await expect(configured({ NATS_URL: `tls://127.0.0.1:${near.port}` })).rejects.toMatchObject({
    code: 'SERVER_OPT_NA',
  })
  const trusted = await configured({ NATS_URL: natsUrl, NATS_CA: cert })
  expect(trusted.info?.tls_required).toBe(true)
  await trusted.close()
  expect(() => agentConfig({ NATS_URL: natsUrl, NATS_CA: key })).toThrow('does not contain a certificate')
})

test('an agent of another address scans by TLS when it trusts the server, and is cut off when it is deleted', async () => {
  const far = await addAgent('far')
  expect(far.natsUrl).toMatch(/^tls:\/\/127\.0\.0\.2:\d+$/)
  expect(far.command).toContain(`NATS_URL=${far.natsUrl} `)
  const agent = startAgent(far.natsUrl, far.id, { AGENT_SEED_FILE: far.AGENT_SEED_FILE, NATS_CA: cert })
  await expect.poll(() => infoOf(far.id), patient).toMatchObject({ state: 'active' })
  const storage = { name: 'films', path: tree, server: { id: far.id } }
  const volumeId = await product.addStorage(storage)
  await call('POST', '/v1/scans/volumes/ids', [volumeId])
  await expect.poll(() => newestScan(volumeId), patient).toMatchObject({ state: 'done', files })

  const { freeze, goOn } = slowed(agent.child.pid)
  await call('POST', '/v1/scans/volumes/ids', [volumeId])
  await expect.poll(() => newestScan(volumeId), patient).toMatchObject({ state: 'running' })
  await freeze()
  const storagePrice = { id: 1 }
  await call('PUT', `/volumeSettings/${volumeId}`, { ...storage, id: volumeId, server: { id: 1 }, storagePrice })
  await call('DELETE', `/servers/${far.id}`)
  await goOn()
  expect(await newestScan(volumeId)).toMatchObject({ state: 'failed', reason: 'The agent far was deleted' })
  await call('POST', '/v1/scans/volumes/ids', [volumeId])
  await expect.poll(() => newestScan(volumeId), patient).toMatchObject({ state: 'done', files })
})
