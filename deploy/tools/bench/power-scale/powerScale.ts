import { fieldsOf } from '#events/jobs/taskResults.ts'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import { type Product, agentOf, startProduct } from '#deploy/local/testing.ts'
import { peakMemory } from '../commands.ts'
import type { ClusterReport } from './cluster.ts'

/**
 * `npm run bench -- powerscale [ENTRIES]`: scans a simulated cluster of that many entries (default: a million) with the
 * whole product into a committed snapshot, first in full, and after 1,000 changes as a delta. The processor share of
 * the cluster shows whether it is the bottleneck. Linux only.
 */
const entries = Number(process.argv[3] ?? 1_000_000)
const changes = 1_000
const scratch = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(scratch, 0o711)
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(1))

const cluster = fork(join(import.meta.dirname, 'cluster.ts'), [String(entries)])
const { host, fingerprint } = await told(cluster)
console.log(`${entries} entries in one cluster`)
const product = await startProduct(join(scratch, 'data'))
try {
  const id = await addCluster(product)
  const full = await measured('full scan', () => scanned(product, id, false))
  cluster.send(changes)
  await told(cluster)
  const delta = await measured(`delta of ${changes} changes`, () => scanned(product, id, true))
  const agent = agentOf(product.pid)
  if (agent === undefined) throw new Error('The agent is not there')
  console.log(`entries a second, full scan ${Math.round(entries / full)}`)
  console.log(`peak memory, agent          ${(peakMemory(agent) / 1024 / 1024).toFixed(0)} MB (aim 250)`)
  console.log(`delta / full scan           ${(delta / full).toFixed(3)} (aim 0.03)`)
} finally {
  await product.stop()
  cluster.disconnect()
}
process.exit(0)

async function told(process: ChildProcess): Promise<ClusterReport> {
  const [message] = (await once(process, 'message')) as [ClusterReport]
  return message
}

function clusterNow(): Promise<ClusterReport> {
  cluster.send('tell')
  return told(cluster)
}

/** Prints the seconds of a scan, and the work of the cluster during it. */
async function measured(name: string, scan: () => Promise<void>): Promise<number> {
  const before = await clusterNow()
  const began = performance.now()
  await scan()
  const seconds = (performance.now() - began) / 1000
  const after = await clusterNow()
  const share = (after.processorSeconds - before.processorSeconds) / seconds
  const requests = after.requests - before.requests
  console.log(
    `${name.padEnd(24)} ${seconds.toFixed(2).padStart(7)} s, ${requests} requests, the cluster busy for ${Math.round(share * 100)} %`,
  )
  return seconds
}

async function addCluster(product: Product): Promise<number> {
  const made = async (path: string, body: object) => {
    const { status, answer } = await product.call('POST', path, body)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer as { id: number }).id
  }
  const credential = { name: 'Bench', username: 'scan', password: 'secret' }
  return made('/v1/powerScales', {
    host,
    dataintellName: 'Bench',
    path: '/ifs/data',
    dellPowerScaleCredentials: { id: await made('/v1/powerScales/credentials', credential) },
    storagePrice: await product.freeBook(),
    serverId: 1,
    fullScanSnapshotExpiresDays: 7,
    deltaScanSnapshotExpiresDays: 3,
    certificateFingerprint: fingerprint,
  })
}

async function scanned(product: Product, id: number, isDeltaScan: boolean): Promise<void> {
  const { answer } = await product.call('POST', `/v1/scans/powerScales/ids?isDeltaScan=${isDeltaScan}`, [id])
  const { jobId } = answer as { jobId: number }
  for (;;) {
    const job = JobDetails.parse((await product.call('GET', `/v1/jobs/${jobId}`)).answer)
    if (!isOpen(job)) {
      if (job.status !== 'SUCCESS' || fieldsOf(job.result).note)
        throw new Error(`The scan ended with ${JSON.stringify(job)}`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
