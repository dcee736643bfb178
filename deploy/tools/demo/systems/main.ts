import { signIn, mustOf } from '#deploy/local/testing/calls.ts'
import { demoPassword } from '#deploy/local/demo/demoFolder.ts'
import { connect } from './connect.ts'
import { contentsKeeper } from './contents.ts'
import { placesOf, readSimulated, writeJson } from './places.ts'
import { startSimulators } from './simulators.ts'

/**
 * `main.ts DATA ADDRESS`: the simulated systems of a demo, until the process that started this one ends it. Connects the product
 * at the address to them, unless an earlier start did and they still have the same addresses.
 */
const saveIntervalMs = 2_000

const [data = '', address = ''] = process.argv.slice(2)
const known = readSimulated(data)
const simulators = await startSimulators(data, known.hosts)
const keep = contentsKeeper(simulators, data)
const saving = setInterval(keep, saveIntervalMs)
let isEnding = false
for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'] as const) process.once(event, () => void end())

const addresses = { ...simulators, powerScale: { url: `https://${simulators.powerScale.host}` } }
const hosts = Object.fromEntries(Object.entries(addresses).map(([name, { url }]) => [name, new URL(url).host]))
const isConnected = known.isConnected && JSON.stringify(hosts) === JSON.stringify(known.hosts)
writeJson(placesOf(data).systems, { hosts, isConnected })
if (!isConnected) await connectProduct()

async function connectProduct(): Promise<void> {
  try {
    await connect(mustOf(signIn(address, { name: 'admin', password: demoPassword })), simulators, data)
    writeJson(placesOf(data).systems, { hosts, isConnected: true })
  } catch (error) {
    // Calls fail once the product stops.
    const reason = error instanceof Error ? error.message : String(error)
    if (!isEnding) console.error(`The simulated systems are not connected. The next start tries again: ${reason}`)
  }
}

async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  clearInterval(saving)
  keep()
  await Promise.all(Object.values(simulators).map((simulator) => simulator.close()))
  process.exit(0)
}
