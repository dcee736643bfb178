import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withCompileCache } from '#deploy/local/compileCache.ts'
import { median, timePrograms } from './commands.ts'
import type { ScanCost } from './scanBench.ts'
import { makeTree } from '../kit/tree.ts'

/**
 * `npm run bench [-- FILES]`: creates a tree of small files (default: a million), walks it, scans it twice into its own
 * data folder, and prints each time as a ratio to `du -s` measured in the same run. Linux only.
 */
const wanted = Number(process.argv[2] ?? 1_000_000)
const scratch = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(scratch, 0o711)
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(1))

const tree = join(scratch, 'tree')
const { files, folders } = makeTree(tree, wanted)
console.log(`${files} files in ${folders} folders`)

const programs = timePrograms(tree, scratch)
const du = programs.find(({ name }) => name === 'du -s')?.seconds ?? Number.NaN
for (const { name, seconds } of programs) row(name, seconds)
let packing = 0
row('walk only', median(walk))
row('  of it pack (processor)', packing)

const { first, second } = scanTwice()
row('scan to committed snapshot', first.seconds)
row('second scan, nothing changed', second.seconds)
console.log(`rows per second        ${Math.round(first.entries / first.seconds)}`)
console.log(`bytes on disk per entry ${(first.disk / first.entries).toFixed(1)}`)
console.log(`  added by the second   ${((second.disk - first.disk) / second.entries).toFixed(3)}`)
console.log(`peak memory, server    ${megabytes(Math.max(first.server, second.server))} MB`)
console.log(`peak memory, agent     ${megabytes(Math.max(first.agent, second.agent))} MB`)
partsOf('first scan', first)
partsOf('second scan', second)

/** Prints the processor seconds of the parts; less than a hundredth is left out. */
function partsOf(scan: string, { parts }: ScanCost): void {
  console.log(`Processor seconds of the ${scan}`)
  const sum = Object.values(parts).reduce((total, seconds) => total + seconds, 0)
  for (const [part, seconds] of [...Object.entries(parts), ['all', sum] as const])
    if (seconds >= 0.01) row(`  ${part}`, seconds)
}

function row(name: string, seconds: number): void {
  console.log(`${name.padEnd(30)} ${seconds.toFixed(2).padStart(7)} s ${(seconds / du).toFixed(2).padStart(6)} × du -s`)
}

/** Runs the agent's walk without sending, in a separate process like an agent. */
function walk(): number {
  const program = join(import.meta.dirname, 'walkBench.ts')
  const printed = execFileSync(process.execPath, [program, tree], { encoding: 'utf8' })
  const { seconds, pack } = JSON.parse(printed) as Record<'seconds' | 'pack', number>
  packing = pack
  return seconds
}

function scanTwice(): { first: ScanCost; second: ScanCost } {
  const env = withCompileCache({ ...process.env, DATAINTELL_DATA: join(scratch, 'data') })
  const program = join(import.meta.dirname, 'scanBench.ts')
  const out = execFileSync(process.execPath, [program, tree], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(out.trim().split('\n').at(-1) ?? '')
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
