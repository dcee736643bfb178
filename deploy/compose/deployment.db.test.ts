import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, inject, onTestFinished, test } from 'vitest'
import { AgentInfo, NewAgent } from '#events/agents.ts'
import { readManifest } from '#server/upkeep/backups/manifest.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { readinessPath } from '#server/platform/http/probes.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { agentOf, productAt, signedIn } from '../local/testing.ts'
import { admitAgent, createSecrets, requireTls } from './secrets.ts'
import { environmentHere, readCompose } from './testing/composeFile.ts'
import { natsHere } from './testing/natsHere.ts'

/** The processes of compose.yaml on this machine: its configuration, with real stores, and without containers. */
const root = join(import.meta.dirname, '../..')
const { services } = readCompose('compose.yaml', { STORAGES: '/mnt' }).compose
const secrets = join(testFolder('compose'), 'secrets')
createSecrets(secrets)
const nats = await natsHere(secrets, inject('stores').natsProgram)
const natsUrl = `nats://127.0.0.1:${nats.port}`
const database = 'compose'
const main = await testDb()
await sql`CREATE DATABASE ${sql.id(database)}`.execute(main)
atEndOfFile(async () => void (await sql`DROP DATABASE ${sql.id(database)} WITH (FORCE)`.execute(main)))
const databaseUrl = Object.assign(new URL(await testDatabaseUrl()), { pathname: database }).href
writeFileSync(join(secrets, 'database_url'), `${databaseUrl}\n`)
writeFileSync(join(secrets, 'clickhouse_url'), (await startBridge(testFolder('chdb'))).url)
const tree = testFolder('storages')
for (const name of ['a', 'b']) {
  mkdirSync(join(tree, name))
  for (let i = 0; i < 50; i++) writeFileSync(join(tree, name, `${i}.mov`), name)
}

if (process.getuid?.() === 0) chownSync(tree, 12_345, 12_345)
chmodSync(tree, 0o700)

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** A root user of the tests keeps only the capabilities that the container has. */
function withCapabilitiesOf(service: string): string[] {
  if (process.getuid?.() !== 0) return []
  const { cap_add: added } = services[service]!
  const all = ['-all', ...added.map((name) => `+${name.toLowerCase()}`)].join(',')
  return ['setpriv', `--bounding-set=${all}`, '--inh-caps=-all', '--no-new-privs']
}

/** Starts a program with the environment of a service, and what a container would differ in. */
function run(
  program: string,
  service: string,
  changes: NodeJS.ProcessEnv,
  args: string[] = [],
): { child: ChildProcess; printed: () => string } {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...environmentHere(services[service]!, secrets) }
  const [first = '', ...words] = [...withCapabilitiesOf(service), process.execPath, join(root, program), ...args]
  const child = spawn(first, words, { env: { ...env, NATS_URL: natsUrl, ...changes } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()))
  const ended = once(child, 'exit')
  atEndOfFile(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, printed: () => printed }
}

async function startServer(service: string) {
  const port = await freePort()
  const data = testFolder(service)
  const { child, printed } = run('server/main.ts', service, {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATAINTELL_DATA: data,
  })
  const address = `http://127.0.0.1:${port}`
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`It ended: ${printed()}`)
    return (await fetch(`${address}${readinessPath}`).catch(() => undefined))?.status === 200
  }
  return { address, data, isReady, child, printed }
}

// At once, on empty stores, as compose starts them.
const servers = await Promise.all([startServer('server1'), startServer('server2')])
for (const { isReady } of servers) while (!(await isReady())) await pause(50)
const password = readFileSync(join(secrets, 'admin_password'), 'utf8')
const [first, second] = servers.map(({ address, child, printed }) => {
  const pid = child.pid ?? 0
  const end = async () => {}
  return productAt(
    address,
    { startedAfter: 0, printed, pid, kill: end, stop: end },
    signedIn(address, { name: 'admin', password }),
  )
})
run('agent/main.ts', 'agent', { AGENT_STATE: testFolder('state') })

const db = openPostgres(databaseUrl)
atEndOfFile(() => db.destroy())
const newestScan = (volumeId: number) =>
  db.selectFrom('scans').selectAll().where('volumeId', '=', volumeId).orderBy('id', 'desc').limit(1).executeTakeFirst()

test('two servers that start at once on empty stores create the tables once, and both accept the created password', async () => {
  for (const product of [first, second])
    expect((await product!.call('GET', '/currentUserInfo')).answer).toMatchObject({ name: 'admin' })
  const rows = await sql<{ names: number; all: number }>`
    SELECT count(DISTINCT (store, name))::int AS names, count(*)::int AS all FROM migrations`.execute(db)
  expect(rows.rows[0]?.names).toBe(rows.rows[0]?.all)
})

test('the agent of the compose file scans for both servers, whose own agent does not run', async () => {
  const volumeId = await first!.addStorage({ name: 'media', path: tree, server: { id: 1 } })
  expect((await second!.call('POST', '/v1/scans/volumes/ids', [volumeId])).status).toBeLessThan(300)
  await expect.poll(() => newestScan(volumeId)).toMatchObject({ state: 'done', files: 100, agentId: 1 })
  for (const { pid } of [first!, second!]) expect(agentOf(pid)).toBeUndefined()
  for (const product of [first, second])
    expect((await product!.call('GET', '/files/search/sizes?isDirectory=false')).answer).toMatchObject({ count: 100 })
  expect(servers.map(({ printed }) => printed()).join('')).not.toContain(password)
})

test('a backup is written while both servers run', async () => {
  const folder = join(testFolder('backup'), 'monday')
  const changes = { DATAINTELL_DATA: servers[0]?.data }
  const { child, printed } = run('deploy/local/backup.ts', 'server1', changes, [folder])
  const [code] = (await once(child, 'exit')) as [number]
  expect([code, printed()]).toEqual([0, expect.stringContaining(`is in ${folder}`)])
  const { files } = (await readManifest(folder)).manifest
  expect(files.find(({ table }) => table === 'entries')?.rows).toBeGreaterThanOrEqual(100)
})

test('an agent of another site is admitted with the block that the settings show, and scans', async () => {
  const added = NewAgent.parse((await first!.call('POST', '/servers', { name: 'denver' })).answer)
  expect(added.natsUrl).toBe(natsUrl)
  admitAgent(secrets, added.natsBlock ?? '')
  await nats.restart()
  run('agent/main.ts', 'agent', {
    AGENT_ID: String(added.id),
    AGENT_STATE: testFolder('state'),
    AGENT_SEED_FILE: '',
    AGENT_SEED: added.seed,
  })
  const infoOf = async () =>
    AgentInfo.array()
      .parse((await second!.call('GET', '/v1/servers/infos')).answer)
      .find(({ id }) => id === added.id)
  await expect.poll(infoOf).toMatchObject({ state: 'active' })
  const volumeId = await second!.addStorage({ name: 'denver', path: join(tree, 'a'), server: { id: added.id } })
  await first!.call('POST', '/v1/scans/volumes/ids', [volumeId])
  await expect.poll(() => newestScan(volumeId)).toMatchObject({ state: 'done', files: 50, agentId: added.id })
})

test('with TLS, as for agents on other machines, NATS admits the server by a trusted certificate only', async () => {
  const folder = testFolder('tls')
  createSecrets(folder)
  writeFileSync(join(folder, 'nats_cert'), certificate.cert)
  writeFileSync(join(folder, 'nats_key'), certificate.key)
  requireTls(folder)
  const { port } = await natsHere(folder, inject('stores').natsProgram)
  const seed = readFileSync(join(folder, 'nats_seed'), 'utf8')
  const open = () => openNats(`tls://localhost:${port}`, { seed })
  await expect(open()).rejects.toThrow('self-signed certificate')
  const defaults = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(defaults))
  setDefaultCACertificates([...defaults, certificate.cert])
  const trusted = await open()
  expect(trusted.connection.info?.tls_required).toBe(true)
  await trusted.close()
})
