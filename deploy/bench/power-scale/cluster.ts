import { changeAtRandom, fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'

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
// The same changes at each run: a linear congruential generator with the constants of Numerical Recipes.
let seed = 1
const below = (limit: number): number =>
  Math.floor(((seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32) * limit)
const cluster = await startPowerScale()
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
    changeAtRandom(cluster.tree, below, message)
    cluster.clock.advance(60)
  }
  tell()
})
process.on('disconnect', () => process.exit(0))
tell()
