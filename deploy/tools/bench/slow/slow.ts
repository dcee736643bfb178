import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { compiled, missingForSlowFs, mountSlowFs, type SlowFsCalls } from '#agent/testing/slowFs.ts'
import { withCompileCache } from '#deploy/local/compileCache.ts'
import { peakMemory } from '../commands.ts'

/**
 * `npm run bench -- slow`: walks a file system that answers each call after a fixed time, with the agent's walk and with similar
 * programs of this machine, each in a new mount. `--latency 2` (milliseconds) and `--shape small` or `huge` select measurements
 * and can be repeated, `--no-ring` denies io_uring to the agent's walk, and `--entries N` changes the number of files (default:
 * 200,000). A program that needs more than two minutes is ended. Linux as root only.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    latency: { type: 'string', multiple: true, default: ['0', '0.5', '2', '10'] },
    shape: { type: 'string', multiple: true, default: ['small', 'huge'] },
    entries: { type: 'string', default: '200000' },
    'no-ring': { type: 'boolean', default: false },
  },
})

type Walker = { name: string; command: (root: string) => string[] }
type Shape = { folders: number; files: number }
/** Cost of a walk. Memory is the peak in bytes. Without seconds it took too long. */
type Cost = { name: string; seconds?: number; memory: number; calls: SlowFsCalls }
type RunCost = Pick<Cost, 'seconds' | 'memory'> & { output: string }

const maxSeconds = 120
const memoryIntervalMs = 20
const entries = Number(values.entries)
const filesInFolder = new Map([
  ['small', 100],
  ['huge', 50_000],
])

const missing = missingForSlowFs()
if (missing !== undefined) throw new Error(`The slow file system can't be mounted: ${missing}`)
const scratch = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(1))

/** With the options of the server's agent. */
const walkBench = [process.execPath, '--max-semi-space-size=1', join(import.meta.dirname, '../walkBench.ts')]
const ours: Walker = {
  name: values['no-ring'] ? 'ours, io_uring denied' : 'ours',
  command: (root) => [...(values['no-ring'] ? [compiled('deny')] : []), ...walkBench, root],
}
/** Each reads the attributes of all entries. */
const others: Walker[] = [
  { name: 'fdfind -j 64 --size +1b', command: (root) => ['fdfind', '-uu', '-j', '64', '--size', '+1b', '.', root] },
  { name: 'bfs -size +0', command: (root) => ['bfs', root, '-size', '+0'] },
  { name: 'gdu -n -c', command: (root) => ['gdu', '--no-progress', '-n', '-c', root] },
  {
    name: 'gufi_dir2index -n 64',
    command: (root) => ['gufi_dir2index', '-n', '64', root, mkdtempSync(join(scratch, 'gufi-'))],
  },
]

const isHere = ({ command }: Walker) => spawnSync('which', command('').slice(0, 1)).status === 0
const walkers = [ours, ...others.filter(isHere)]
// An agent's code is compiled from its second start on.
await measure(ours, { folders: 1, files: 1 }, 0)
for (const { name } of others.filter((walker) => !isHere(walker))) console.log(`not on this machine: ${name}`)

for (const shape of values.shape) {
  const files = filesInFolder.get(shape)
  if (files === undefined) throw new Error(`The shapes are ${[...filesInFolder.keys()].join(' and ')}, not ${shape}`)
  for (const latency of values.latency) await compare({ folders: Math.ceil(entries / files), files }, Number(latency))
}

/** Measures each walker in turn, and prints their costs. The latency is in milliseconds. */
async function compare(shape: Shape, latency: number): Promise<void> {
  const { folders, files } = shape
  console.log(`\n${folders.toLocaleString('en')} × ${files.toLocaleString('en')} files, ${latency} ms per call`)
  const costs: Cost[] = []
  for (const walker of walkers) costs.push(await measure(walker, shape, latency))
  const best = Math.min(...costs.slice(1).map(({ seconds = Infinity }) => seconds))
  for (const cost of costs) printRow(cost, { files: folders * files, latency, best })
}

async function measure(walker: Walker, shape: Shape, latency: number): Promise<Cost> {
  const slowFs = await mountSlowFs({ ...shape, latency: latency * 1_000 })
  try {
    const cost = walker === ours ? await runOurs(slowFs.mount, shape) : await run(walker.command(slowFs.mount))
    return { name: walker.name, ...cost, calls: await slowFs.calls() }
  } finally {
    await slowFs.unmount()
  }
}

/** Without the start of the process, since the agent runs already when a scan starts. */
async function runOurs(root: string, { folders, files }: Shape): Promise<Omit<RunCost, 'output'>> {
  const { output, ...cost } = await run(ours.command(root), 'pipe')
  if (cost.seconds === undefined) return cost
  const { seconds, memory, entries } = JSON.parse(output) as Record<'seconds' | 'memory' | 'entries', number>
  if (entries < folders * files) throw new Error(`The walk found only ${entries} entries`)
  return { seconds, memory }
}

/** Runs a command, and ends it after the maximum time. */
async function run([program = '', ...args]: string[], stdout: 'pipe' | 'ignore' = 'ignore'): Promise<RunCost> {
  const started = performance.now()
  const child = spawn(program, args, {
    stdio: ['ignore', stdout, 'inherit'],
    env: withCompileCache(process.env),
  })
  let [memory, isLate] = [0, false]
  const reading = setInterval(() => (memory = Math.max(memory, peakMemory(child.pid ?? 0) || 0)), memoryIntervalMs)
  const limit = setTimeout(() => (isLate = child.kill('SIGKILL')), maxSeconds * 1_000)
  const exited = once(child, 'exit')
  const output = child.stdout ? await text(child.stdout) : ''
  const [code] = (await exited) as [number | null]
  const seconds = (performance.now() - started) / 1_000
  clearInterval(reading)
  clearTimeout(limit)
  if (code !== 0 && !isLate) throw new Error(`${program} ended with ${code}`)
  return { output, memory, ...(isLate ? {} : { seconds }) }
}

/** Without latency each call is answered before the next is read, so the number at once means nothing. */
function printRow(
  { name, seconds, memory, calls }: Cost,
  { files, latency, best }: Record<'files' | 'latency' | 'best', number>,
): void {
  const columns = [
    name.padEnd(24),
    `${seconds?.toFixed(2) ?? `> ${maxSeconds}`} s`.padStart(9),
    `${seconds === undefined ? '–' : Math.round(files / seconds).toLocaleString('en')} files/s`.padStart(16),
    `${(memory / 1024 / 1024).toFixed(0)} MB`.padStart(7),
    `${calls.calls.toLocaleString('en')} calls`.padStart(14),
    `${latency > 0 ? calls.mostWaiting : '–'} at once`.padStart(12),
    seconds === undefined || best === Infinity ? '' : `${(seconds / best).toFixed(2)} × best`.padStart(12),
  ]
  console.log(`  ${columns.join(' ')}`.trimEnd())
}
