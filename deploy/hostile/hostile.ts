import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HostileOptions, type Kind, readOptions, usage } from './options.ts'
import { type Findings, newFindings } from './findings.ts'

/**
 * `npm run test:long -- fuzz|chaos|soak|upgrade`: hostile input, faults, load and upgrades for a whole product in a temporary
 * folder. Prints its seed first, one line per round, and each finding with the command that repeats it. Exits with 1 if
 * there is a finding.
 */
export type HostileRun = (options: HostileOptions, run: { folder: string; findings: Findings }) => Promise<void>

const runs: Record<Kind, () => Promise<HostileRun>> = {
  fuzz: async () => (await import('./fuzz/fuzz.ts')).fuzz,
  chaos: async () => (await import('./chaos.ts')).chaos,
  soak: async () => (await import('./soak.ts')).soak,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
}

const options = readOptions(process.argv.slice(2))
if ('wrong' in options) {
  console.error(`${options.wrong}\n${usage}`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), `dataintell-${options.kind}-`))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(folder, 0o711)
const findings = newFindings()
console.log(`${options.kind}: seed ${options.seed}`)
try {
  const run = await runs[options.kind]()
  await run(options, { folder, findings })
} catch (error) {
  findings.add('the run itself failed', error instanceof Error ? String(error.stack) : String(error))
}
console.log(findings.summary(`${options.kind}, seed ${options.seed}`))
rmSync(folder, { recursive: true, force: true })
process.exit(findings.count() === 0 ? 0 : 1)
