import { changeAtRandom, fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'
import { newRandom } from '#server/snapshots/oracle/random.ts'

/** What the process of the cluster tells of it. */
export type ClusterTold = {
  host: string
  fingerprint: string
  requests: number
  processorSeconds: number
}

// A cluster with a number of entries, in a process of its own. It answers 'tell' with what it did so far, and a number by changing as
// many entries.
const [entries] = process.argv.slice(2)
const random = newRandom(1)
const cluster = await startPowerScale({ nodeCount: 1 })
fillTree(cluster.tree, Number(entries))
const tell = () => {
  const { user, system } = process.cpuUsage()
  const { host, fingerprint, requests } = cluster
  const told: ClusterTold = { host, fingerprint, requests: requests.count, processorSeconds: (user + system) / 1e6 }
  process.send?.(told)
}
process.on('message', (message) => {
  if (typeof message === 'number') {
    cluster.clock.advance(60)
    changeAtRandom(cluster.tree, random.below, message)
    cluster.clock.advance(60)
  }
  tell()
})
process.on('disconnect', () => process.exit(0))
tell()
