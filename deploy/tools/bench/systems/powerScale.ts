import { join } from 'node:path'
import { scratchFolder } from '../../kit/ends.ts'
import { agentMemory, openProduct, type Running, runJob } from '../../kit/product.ts'
import { timed } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'
import { startSystem } from './simulated.ts'

const changes = 1_000

/**
 * `npm run bench -- powerscale [ENTRIES]`: scans a simulated cluster with the whole product into a committed snapshot, first in full, and
 * after 1,000 changes as a delta. The processor share of the cluster shows whether it is the bottleneck. Linux only.
 */
export const tool = defineTool({
  options: { entries: 1_000_000 },
  positional: 'entries',
  async run({ entries }) {
    const cluster = await startSystem('cluster', entries)
    console.log(`${entries} entries in one cluster`)
    const running = await openProduct(join(scratchFolder(), 'data'))
    const id = await addCluster(running, cluster.facts)
    const scan = async (name: string, isDelta: boolean) => {
      const path = `/v1/scans/powerScales/ids?isDeltaScan=${isDelta}`
      const work = async () => (await timed(() => runJob(running.must, path, [id]))).seconds
      return (await cluster.measure(name, work)).seconds
    }
    const full = await scan('full scan', false)
    await cluster.change(changes)
    const delta = await scan(`delta of ${changes} changes`, true)
    console.log(`entries a second, full scan ${Math.round(entries / full)}`)
    console.log(`peak memory, agent          ${agentMemory(running.product)} (aim 250)`)
    console.log(`delta / full scan           ${(delta / full).toFixed(3)} (aim 0.03)`)
    await cluster.end()
  },
})

async function addCluster({ product, made }: Running, { host, fingerprint }: Record<string, string>): Promise<number> {
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
