import { parseArgs } from 'node:util'
import type { Simulated, SimulateOptions } from './options.ts'

/** Systems by their names on the command line. */
const systems: Record<string, () => Promise<(options: SimulateOptions) => Promise<Simulated>>> = {
  p5: async () => (await import('./p5.ts')).simulateP5,
  iconik: async () => (await import('./iconik.ts')).simulateIconik,
  powerscale: async () => (await import('./powerScale.ts')).simulatePowerScale,
  stornext: async () => (await import('./storNext.ts')).simulateStorNext,
  transfers: async () => (await import('./transfers.ts')).simulateTransfers,
}

/**
 * `npm run simulate -- SYSTEM [--entries 100000] [--port PORT]`: an external system on 127.0.0.1, to try the product without a real one.
 * Ends with Ctrl-C; nothing is kept.
 */
const usage = `npm run simulate -- ${Object.keys(systems).join('|')} [--entries 100000] [--port PORT]`
const { positionals, values } = readArguments()
const load = systems[positionals[0] ?? '']
const [entries, port] = [Number(values.entries), values.port === undefined ? undefined : Number(values.port)]
if (load === undefined || !isCount(entries, 10_000_000) || (port !== undefined && !isCount(port, 65_535))) fail(usage)

const simulate = await load()
const log: SimulateOptions['log'] = ({ method, path, status }) => console.log(`${status} ${method} ${path}`)
const simulated = await simulate({ entries, port, log }).catch((error: unknown) => fail((error as Error).message))
for (const [name, text] of Object.entries(simulated)) console.log(`${name.padEnd(12)}${text}`)

function readArguments() {
  const options = { entries: { type: 'string', default: '100000' }, port: { type: 'string' } } as const
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return fail(`${(error as Error).message}\n${usage}`)
  }
}

function isCount(number: number, max: number): boolean {
  return Number.isInteger(number) && number >= 0 && number <= max
}

function fail(text: string): never {
  console.error(text)
  process.exit(2)
}
