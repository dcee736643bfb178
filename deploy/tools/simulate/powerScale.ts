import { randomInt } from 'node:crypto'
import { createInterface } from 'node:readline'
import { newClock } from '#agent/simulator/clock.ts'
import { changeAtRandom, fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'
import type { Simulated, SimulateOptions } from './options.ts'

const changesAtOnce = 100

/** A cluster of one node, on port 8080 unless another one is given. Each Enter changes entries, for a delta scan to find. */
export async function simulatePowerScale({ entries, port = 8080, log }: SimulateOptions): Promise<Simulated> {
  const [username, password] = ['scan', 'secret']
  const cluster = await startPowerScale({
    users: [{ username, password }],
    port,
    clock: newClock({ start: Date.now() / 1_000, speed: 1 / 1_000 }),
    onAnswer: log,
  })
  fillTree(cluster.tree, entries)
  createInterface({ input: process.stdin }).on('line', () => {
    changeAtRandom(cluster.tree, (below) => randomInt(below), changesAtOnce)
    console.log(`Changed ${changesAtOnce} entries`)
  })
  return {
    Host: cluster.host,
    Path: '/ifs/data',
    User: username,
    Password: password,
    Certificate: cluster.fingerprint,
    Changes: `press Enter to change ${changesAtOnce} entries`,
  }
}
