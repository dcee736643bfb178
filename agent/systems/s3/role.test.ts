import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { listBuckets } from '../../requestHandlers.ts'
import { keysOf } from '../testing.ts'
import { objectsOf } from './simulator/index.ts'
import { startMetadata } from './simulator/metadata.ts'
import { openMedia, simulator } from './testing.ts'

const hourMs = 3_600_000
const role = {
  accessKey: 'ASIAROLE00000KEY0001',
  secretKey: 'role/SECRET+5512=',
  sessionToken: 'role/TOKEN+8841==',
}
const until = (ms: number) => ({ ...role, expiration: new Date(Date.now() + ms) })
const ofRole = { usesRole: true, accessKey: '', secretKey: '' }
const amazon = { ...ofRole, type: 'S3', region: 'us-east-1' } as const

/** Settings of the machine that would hide what a test is about. */
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null').stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null')
})
afterEach(() => void vi.unstubAllEnvs())

const have = (variables: Record<string, string>) =>
  Object.entries(variables).forEach(([name, value]) => vi.stubEnv(name, value))

async function metadata(options: Parameters<typeof startMetadata>[0] = {}) {
  const started = await startMetadata(options)
  onTestFinished(() => void started.close())
  return started
}

const store = (account: object = {}) =>
  simulator({
    accounts: [{ ...role, ...account }],
    buckets: { media: { objects: objectsOf([{ key: 'a', size: 1, modified: 1 }]) } },
  })

/** Amazon's hosts behind one port: the token service, and the store for all others. */
async function amazonAt(tokens: { port: number }, stores: { port: number }): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const { port } = headers.host?.startsWith('sts.') ? tokens : stores
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('an agent on an EC2 instance, in an ECS task or in an EKS pod signs in with its role', async () => {
  const machine = await metadata({ role: until(hourMs) })
  const toPort = await amazonAt(machine, await store())
  const open = () => keysOf(openMedia({ url: '' }, amazon, { toPort }))
  have(machine.instance)
  expect(await open()).toEqual(['a'])
  expect(machine.requests[0]).toBe('PUT /latest/api/token')
  vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', undefined)

  have(machine.container)
  expect(await open()).toEqual(['a'])
  expect(machine.requests.at(-1)).toBe('GET /container')
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', undefined)

  const identity = join(testFolder('pod'), 'token')
  writeFileSync(identity, 'signed-by-the-cluster')
  have({ ...machine.pod, AWS_WEB_IDENTITY_TOKEN_FILE: identity })
  expect(await open()).toEqual(['a'])
  expect(machine.requests.at(-1)).toBe('POST /')
})

test('keys of a role that are about to expire are fetched again during a scan', async () => {
  const machine = await metadata({ role: until(60_000) })
  have(machine.instance)
  const { port } = await store()
  const opened = openMedia({ url: '' }, amazon, { toPort: port })
  const fetched = () => machine.requests.filter((request) => request.endsWith('/storage-reader')).length
  await keysOf(opened)
  const before = fetched()
  await keysOf(opened)
  expect(fetched()).toBeGreaterThan(before)
})

test('without a role on the machine, scans and the check of a connection say what to do', async () => {
  const expected =
    "The agent's machine has no role: neither its environment and AWS files nor its container or instance have one. Attach a role to the machine, or use access keys. In a container on EC2, the hop limit of the instance's metadata has to be 2."
  have({ AWS_EC2_METADATA_DISABLED: 'true' })
  const { url, port } = await store()
  await expect(keysOf(openMedia({ url: '' }, amazon, { toPort: port }))).rejects.toThrow(expected)
  const place = { type: 'OTHER', region: '', namespace: '', endpoint: url, bucket: 'media' }
  const { reason } = await listBuckets(JSON.stringify({ type: 'access', store: { ...place, ...ofRole } }))
  expect(reason).toBe(expected)
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', undefined)

  have((await metadata()).instance)
  await expect(keysOf(openMedia({ url: '' }, amazon, { toPort: port }))).rejects.toThrow('has no role')
})

test('a role that exists but does not work is named, with the reason of the token service', async () => {
  const identity = join(testFolder('pod'), 'token')
  const machine = await metadata({ refusesIdentities: true })
  have({ ...machine.pod, AWS_WEB_IDENTITY_TOKEN_FILE: identity })
  const toPort = await amazonAt(machine, await store())
  const open = () => keysOf(openMedia({ url: '' }, amazon, { toPort }))
  await expect(open()).rejects.toThrow(/^The role of the agent's machine could not be used: .*token/)
  writeFileSync(identity, 'signed-by-the-cluster')
  await expect(open()).rejects.toThrow('Not authorized to perform sts:AssumeRoleWithWebIdentity')
})

test('refusals of a store are about the role, not about keys that were saved', async () => {
  have((await metadata({ role: until(hourMs) })).instance)
  const open = (port: number) => keysOf(openMedia({ url: '' }, amazon, { toPort: port }))
  await expect(open((await store({ mayListObjects: false })).port)).rejects.toThrow(
    "The role of the agent's machine has no right to list the bucket media (s3:ListBucket)",
  )
  await expect(open((await store({ isExpired: true })).port)).rejects.toThrow(
    "does not accept the keys of the role that the agent's machine has (ExpiredToken). Check the role, and the machine's clock.",
  )
})
