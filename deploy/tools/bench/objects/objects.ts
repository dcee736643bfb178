import { type ChildProcess, execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import { installPackage } from '#deploy/setup/installPackage.js'
import { type Product, agentOf, startProduct } from '#deploy/local/testing.ts'
import { median, peakMemory } from '../commands.ts'
import { account, bucket } from './account.ts'

/** Report of the store's process. */
export type StoreReport = { url: string; requests: number; processorSeconds: number }

/**
 * `npm run bench -- objects [KEYS]`: lists a bucket of that many keys (default: a million) in a store on the loopback
 * interface with rclone and with the agent, and scans it with the whole product into a committed snapshot, each as a
 * ratio to rclone. The store's processor share shows that it is not the bottleneck. Linux only.
 */
const keys = Number(process.argv[3] ?? 1_000_000)
const scratch = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(scratch, 0o711)
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(1))

const store = fork(join(import.meta.dirname, 'store.ts'), [String(keys)])
const { url } = await readReport(store)
console.log(`${keys} keys in one bucket`)

const rclone = await measured('rclone lsf -R', () => median(rcloneListing))
const listing = await measured('listing', () => median(agentListing))
const scan = await measured('scan to committed snapshot', scanBucket)
console.log(`keys per second, listing   ${Math.round(keys / listing)}`)
console.log(`keys per second, committed ${Math.round(keys / scan.seconds)}`)
console.log(`peak memory, agent         ${(scan.agentMemory / 1024 / 1024).toFixed(0)} MB`)
console.log(
  `listing / rclone ${(listing / rclone).toFixed(2)} (target 0.4), committed / rclone ${(scan.seconds / rclone).toFixed(2)} (target 0.8)`,
)
store.disconnect()
process.exit(0)

async function readReport(store: ChildProcess): Promise<StoreReport> {
  const [message] = (await once(store, 'message')) as [StoreReport]
  return message
}

function storeNow(): Promise<StoreReport> {
  store.send('tell')
  return readReport(store)
}

/** Prints the time of a measurement and the work of the store during all of its repetitions. */
async function measured<T extends number | ScanCost>(name: string, measure: () => T | Promise<T>): Promise<T> {
  const before = await storeNow()
  const began = performance.now()
  const cost = await measure()
  const whole = (performance.now() - began) / 1000
  const after = await storeNow()
  const share = (after.processorSeconds - before.processorSeconds) / whole
  const seconds = typeof cost === 'number' ? cost : cost.seconds
  const requests = after.requests - before.requests
  console.log(
    `${name.padEnd(28)} ${seconds.toFixed(2).padStart(7)} s; ${requests} requests in total, the store busy for ${Math.round(share * 100)} %`,
  )
  return cost
}

function rcloneListing(): number {
  const program = findRclone()
  const args = ['lsf', '-R', '--fast-list', '--s3-list-version', '2', '--format', 'p', `:s3:${bucket}`]
  // Ignores this machine's own S3 settings.
  const env = {
    PATH: process.env['PATH'],
    RCLONE_CONFIG: join(scratch, 'rclone.conf'),
    RCLONE_S3_PROVIDER: 'Other',
    RCLONE_S3_ENDPOINT: url,
    RCLONE_S3_ACCESS_KEY_ID: account.accessKey,
    RCLONE_S3_SECRET_ACCESS_KEY: account.secretKey,
  }
  const started = performance.now()
  const { status, stderr } = spawnSync(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`rclone ended with ${status}: ${stderr}`)
  return (performance.now() - started) / 1000
}

function findRclone(): string {
  const isThere = () => spawnSync('rclone', ['version']).status === 0
  if (!isThere()) installPackage('to compare with (15 MB to download)', 'rclone')
  if (!isThere()) throw new Error('No rclone was found: install the package rclone')
  return 'rclone'
}

function agentListing(): number {
  return Number(execFileSync(process.execPath, [join(import.meta.dirname, 'listing.ts'), url], { encoding: 'utf8' }))
}

type ScanCost = { seconds: number; agentMemory: number }

/** Scans the bucket with the whole product, as run by `npm start`. */
async function scanBucket(): Promise<ScanCost> {
  const product = await startProduct(join(scratch, 'data'))
  try {
    const id = await addBucket(product)
    const started = performance.now()
    await scanned(product, id)
    const seconds = (performance.now() - started) / 1000
    const agent = agentOf(product.pid)
    if (agent === undefined) throw new Error('The agent is not there')
    return { seconds, agentMemory: peakMemory(agent) }
  } finally {
    await product.stop()
  }
}

async function addBucket(product: Product): Promise<number> {
  const made = async (path: string, body: object) => {
    const { status, answer } = await product.call('POST', path, body)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer as { id: number }).id
  }
  const keys = { accessKey: account.accessKey, privateKey: account.secretKey, url }
  const awsCredentialsId = await made('/v1/bucket-credentials', { name: 'Bench', type: 'OTHER', ...keys })
  const storagePrice = await product.freeBook()
  return made('/v1/buckets', { name: bucket, description: 'Bench', type: 'OTHER', awsCredentialsId, storagePrice })
}

async function scanned(product: Product, id: number): Promise<void> {
  const { answer } = await product.call('POST', '/v1/scans/buckets/ids?cloneIndex=true', [id])
  const { jobId } = answer as { jobId: number }
  for (;;) {
    const job = JobDetails.parse((await product.call('GET', `/v1/jobs/${jobId}`)).answer)
    if (!isOpen(job)) {
      if (job.status !== 'SUCCESS') throw new Error(`The scan ended with ${JSON.stringify(job)}`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
