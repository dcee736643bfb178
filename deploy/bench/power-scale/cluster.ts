import { changeAtRandom, fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'
import { newRandom } from '#server/snapshots/oracle/random.ts'

/** Report of the cluster's process. */
export type ClusterReport = {
  host: string
  fingerprint: string
  requests: number
  processorSeconds: number
}

// A cluster with a number of entries, in a separate process. Answers 'tell' with its statistics, and a number by
// changing that many entries.
const [entries] = process.argv.slice(2)
const random = newRandom(1)
const cluster = await startPowerScale({ nodeCount: 1 })
fillTree(cluster.tree, Number(entries))
const tell = () => {
  const { user, system } = process.cpuUsage()
  const { host, fingerprint, requests } = cluster
  const told: ClusterReport = { host, fingerprint, requests: requests.count, processorSeconds: (user + system) / 1e6 }
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
