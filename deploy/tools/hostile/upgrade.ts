import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '#server/platform/config.ts'
import { compareJobs } from '#server/workers/jobs/index.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { mustOf } from '#deploy/local/testing/calls.ts'
import { makeTree } from '#deploy/local/testing/tree.ts'
import { type Replica, serverEnvironment, startReplica } from '#deploy/local/testing/externalStores.ts'
import { freePort } from '#deploy/local/testing/freePort.ts'
import { type LocalStores, startLocalStores } from '#deploy/local/stores/index.ts'
import { type Product, productAt } from '#deploy/local/testing.ts'
import { atEnd } from '../kit/ends.ts'
import { defineRun } from './findings.ts'
import { eventually, healthOf, offline } from './product.ts'
import { changeTree, countsOf, noScanRuns } from './site.ts'

const checkout = resolve(import.meta.dirname, '../../..')
const upMs = 180_000
const tag = 'kept by the upgrade'

/**
 * Fills a data folder with earlier versions of the repository's history, then starts this version on it, kills it on the way
 * and starts it again. Everything must still be there, and the earlier version must refuse to start afterwards.
 */
export const tool = defineRun(
  'upgrade',
  { count: 2, only: '' },
  async ({ seed, count, only }, { folder, findings }) => {
    const random = newRandom(seed)
    const versions = only === '' ? someVersions(random, count) : [only]
    if (versions.length === 0) console.log('not tried: this checkout has no history of migrations')
    for (const version of versions) {
      const started = Date.now()
      const found = (what: string, detail: string) =>
        findings.add(what, `npm run test:long -- upgrade --seed ${seed} --only ${version}\n${detail}`)
      const outcome = await upgradeFrom(version, { folder: join(folder, version), random, found })
      console.log(
        `${version}: ${outcome} (${((Date.now() - started) / 1_000).toFixed(0)} s), ${findings.count()} findings`,
      )
    }
  },
)

/** Versions of the main line that added a migration and need no other packages, evenly spread over the history from a random one on. */
function someVersions(random: Random, count: number): string[] {
  const lines = git('log', '--first-parent', '--format=%h', '--diff-filter=A', '--', 'migrations')
    .toString()
    .split('\n')
  const all = lines.filter((line) => line !== '' && hasPackages(line)).toReversed()
  const step = all.length / count
  return Array.from(
    { length: Math.min(count, all.length) },
    (_, i) => all[Math.floor((i + random.next()) * step)] ?? '',
  )
}

/** True if the packages of an earlier version are installed here. */
function hasPackages(version: string): boolean {
  const { dependencies = {} } = JSON.parse(git('show', `${version}:package.json`).toString()) as {
    dependencies?: Record<string, string>
  }
  return Object.keys(dependencies).every((name) => existsSync(join(checkout, 'node_modules', name)))
}

function git(...args: string[]): Buffer {
  try {
    return execFileSync('git', args, { cwd: checkout, maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return Buffer.alloc(0)
  }
}

type Upgrade = {
  folder: string
  random: Random
  found: (what: string, detail: string) => void
}

async function upgradeFrom(version: string, { folder, random, found }: Upgrade): Promise<string> {
  const [earlier, data, tree] = [join(folder, 'earlier'), join(folder, 'data'), join(folder, 'tree')]
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  extract(version, earlier)
  makeTree(tree, 500)
  const stores = await startLocalStores({ ...readConfig({}), data }, () => {})
  atEnd(stores.stop)
  const servers = serversOf({ data, stores, port: await freePort() })

  const before = await fill(await servers.start(earlier), tree)
  if (typeof before === 'string') return `skipped, ${before.slice(-300).replaceAll('\n', ' ')}`
  await servers.stop()
  const kills = 1 + random.below(3)
  for (let i = 0; i < kills; i++) {
    servers.begin(checkout)
    await pause(random.below(5_000))
    await servers.kill()
  }
  const now = await servers.start(checkout)
  if (typeof now === 'string') {
    found('this version does not start on earlier data', now)
    return 'does not start'
  }
  await check(now, { tree, volume: before.volume, random, found })
  await compare(stores, found)
  await servers.stop()
  return `upgraded, killed ${kills} times; ${await downgrade(servers, earlier, found)}`
}

function extract(version: string, folder: string): void {
  mkdirSync(folder)
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', version) })
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'))
}

/** Runs servers of any version on the same stores, one at a time. */
function serversOf({ data, stores, port }: { data: string; stores: LocalStores; port: number }) {
  const environment = { ...serverEnvironment(stores, data, port), ...offline }
  let running: Replica | undefined
  const end = async (signal: NodeJS.Signals) => running?.end(signal)
  atEnd(() => end('SIGKILL'))
  const begin = (version: string): Replica => (running = startReplica(environment, version))
  return {
    begin,
    /** The product once it responds, or what it printed if it doesn't. */
    async start(version: string): Promise<Product | string> {
      const server = begin(version)
      const isUp = () => healthOf(server.address, 2_000).then((status) => status === 200)
      if (
        !(await eventually(async () => server.ended() !== undefined || (await isUp()), upMs)) ||
        server.ended() !== undefined
      ) {
        await end('SIGKILL')
        return `it does not start: ${server.printed().slice(-2_000)}`
      }
      const { address, pid, printed } = server
      return productAt(address, {
        startedAfter: 0,
        printed,
        pid,
        kill: () => end('SIGKILL'),
        stop: () => end('SIGTERM'),
      })
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** Scans and tags with an earlier version. Returns why that can't be driven by today's calls, if so. */
async function fill(product: Product | string, tree: string): Promise<{ volume: number } | string> {
  if (typeof product === 'string') return product
  try {
    const volume = await product.addStorage({ name: 'Media', path: tree })
    const must = mustOf(product.call)
    await must('POST', '/v1/scans/volumes/ids', [volume])
    if (!(await eventually(() => noScanRuns({ must }), 120_000))) return 'its scan does not end'
    await must('PUT', '/v1/files/tags', {
      entries: [{ volumeId: volume, path: '/project_0000', isDirectory: true }],
      add: [tag],
    })
    return { volume }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type Checked = Pick<Upgrade, 'random' | 'found'> & { tree: string; volume: number }

async function check(product: Product, { tree, volume, random, found }: Checked): Promise<void> {
  const must = mustOf(product.call)
  const counted = { must, volumes: [volume], trees: [tree, tree] as const }
  const compare = async (when: string) => {
    const { shown, found: files } = await countsOf(counted)
    if (JSON.stringify(shown[0]) !== JSON.stringify(files[0]))
      found(`counts differ from find ${when}`, JSON.stringify({ shown, files }))
  }
  await compare('right after an upgrade')
  const tags = await must<string[]>('GET', '/v1/files/tags')
  if (!tags.includes(tag)) found('a tag is lost by an upgrade', JSON.stringify(tags))
  changeTree(random, tree, 1)
  await must('POST', '/v1/scans/volumes/ids', [volume])
  if (!(await eventually(() => noScanRuns({ must }), 180_000))) return found('a scan does not end after an upgrade', '')
  await compare('in a scan after an upgrade')
}

async function compare({ databaseUrl }: LocalStores, found: Upgrade['found']): Promise<void> {
  const db = openPostgres(databaseUrl)
  try {
    const { differences } = await compareJobs(db)
    if (differences.length > 0)
      found('a replay differs from the tables after an upgrade', JSON.stringify(differences).slice(0, 2_000))
  } finally {
    await db.destroy()
  }
}

/** The earlier version has to refuse newer data, if it knows how to. */
async function downgrade(
  servers: ReturnType<typeof serversOf>,
  earlier: string,
  found: Upgrade['found'],
): Promise<string> {
  const program = join(earlier, 'server/platform/migrate.ts')
  if (!existsSync(program) || !readFileSync(program, 'utf8').includes('written by a newer version'))
    return 'the earlier version is older than the check for newer data'
  const outcome = await servers.start(earlier)
  if (typeof outcome === 'string' && outcome.includes('newer version')) return 'downgrade refused'
  await servers.stop()
  const isSame = git('diff', '--stat', `${earlier.split('/').at(-2)}..HEAD`, '--', 'migrations').length === 0
  if (!isSame) found('an earlier version starts on newer data', typeof outcome === 'string' ? outcome : '')
  return isSame ? 'no newer migrations' : 'downgrade not refused'
}
