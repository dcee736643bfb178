import { randomInt } from 'node:crypto'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { changeAtRandom, Clock, fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'

/** A port of 0 is any free one. */
type SimulationOptions = { entries: number; port: number }
type Simulation = (options: SimulationOptions) => Promise<{ close(): Promise<void> }>

/** Systems that `npm run simulate` starts, by the name of its first argument. */
const simulations: Record<string, Simulation> = { powerscale: simulatePowerScale }

const usage = `usage: npm run simulate -- ${Object.keys(simulations).join('|')} [--entries 100000] [--port 8080]`

/** `npm run simulate -- powerscale`: runs a simulated storage system on this machine until Ctrl-C, to try the product with. */
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { entries: { type: 'string', default: '100000' }, port: { type: 'string', default: '8080' } },
  })
  const simulation = simulations[positionals[0] ?? '']
  const options = { entries: Number(values.entries), port: Number(values.port) }
  if (simulation === undefined || positionals.length > 1 || !Object.values(options).every(Number.isSafeInteger))
    throw new Error(usage)
  const running = await simulation(options)
  process.once('SIGINT', () => void running.close().then(() => process.exit()))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

async function simulatePowerScale({ entries, port }: SimulationOptions) {
  const [username, password] = ['scan', 'secret']
  const simulator = await startPowerScale({
    users: [{ username, password }],
    port,
    nodeCount: 1,
    clock: new Clock({ seconds: Date.now() / 1_000, speed: 1 }),
    onRequest: ({ method, path, status }) => console.log(`${method} ${path} ${status ?? 'closed'}`),
  })
  fillTree(simulator.tree, entries)
  console.log(`Dell PowerScale with ${entries} entries in /ifs/data: https://${simulator.host}`)
  console.log(`User ${username}, password ${password}`)
  console.log(`Certificate fingerprint (SHA-256): ${simulator.fingerprint}`)
  console.log('Press Enter to change 100 entries, Ctrl-C to stop.')
  createInterface({ input: process.stdin }).on('line', () => {
    changeAtRandom(simulator.tree, (below) => randomInt(below), 100)
    console.log('Changed 100 entries')
  })
  return simulator
}
