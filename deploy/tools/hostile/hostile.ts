import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HostileRun, newFindings } from './findings.ts'
import { type HostileOptions, type Kind, readOptions, usage } from './options.ts'

/**
 * `npm run test:long -- fuzz|chaos|soak|upgrade`: hostile input, faults, load and upgrades for a whole product in a temporary
 * folder. Prints its seed first, one line per round, and each finding with the command that repeats it. Exits with 1 if
 * there is a finding.
 */
const runs: Record<Kind, () => Promise<HostileRun>> = {
  fuzz: async () => (await import('./fuzz/fuzz.ts')).fuzz,
  chaos: async () => (await import('./chaos.ts')).chaos,
  soak: async () => (await import('./soak.ts')).soak,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
}

const options = optionsOf(process.argv.slice(2))
const folder = mkdtempSync(join(tmpdir(), `dataintell-${options.kind}-`))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(folder, 0o711)
const findings = newFindings()
const ends: (() => Promise<unknown> | void)[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())

console.log(`${options.kind}: seed ${options.seed}`)
try {
  const run = await runs[options.kind]()
  await run(options, { folder, findings, atEnd: (end) => ends.push(end) })
} catch (error) {
  findings.add('the run itself failed', error instanceof Error ? String(error.stack) : String(error))
}
await end()

function optionsOf(args: string[]): HostileOptions {
  const read = readOptions(args)
  if (!('wrong' in read)) return read
  console.error(`${read.wrong}\n${usage}`)
  process.exit(2)
}

async function end(): Promise<never> {
  for (const end of ends.splice(0).toReversed())
    await Promise.resolve(end()).catch((error: unknown) => console.error(error))
  console.log(findings.summary(`${options.kind}, seed ${options.seed}`))
  rmSync(folder, { recursive: true, force: true })
  process.exit(findings.count() === 0 ? 0 : 1)
}
