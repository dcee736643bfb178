import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compiled, missingForSlowFs, mountSlowFs, type SlowFsCalls } from '#agent/testing/slowFs.ts'
import { withCompileCache } from '#deploy/local/compileCache.ts'
import { megabytes, peakMemoryOf } from '../../kit/proc.ts'
import { scratchFolder } from '../../kit/ends.ts'
import { timed } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'

type Walker = { name: string; command: (root: string) => string[]; isOurs?: true }
type Shape = { folders: number; files: number }
/** Cost of a walk. Memory is the peak in bytes. Without seconds it took too long. */
type RunCost = { seconds?: number; memory: number }
type Cost = RunCost & { name: string; calls: SlowFsCalls }

const maxSeconds = 120
const memoryIntervalMs = 20
const filesInFolder: Record<string, number> = { small: 100, huge: 50_000 }

/** The agent's walk, with the options of the server's agent. */
function ours(isWithoutRing: boolean): Walker {
  const walk = [process.execPath, '--max-semi-space-size=1', join(import.meta.dirname, '../scans/walk.ts')]
  const command = (root: string) => [...(isWithoutRing ? [compiled('deny')] : []), ...walk, root]
  return { name: isWithoutRing ? 'ours, io_uring denied' : 'ours', command, isOurs: true }
}

/** Each reads the attributes of all entries. */
const others = (scratch: string): Walker[] => [
  { name: 'fdfind -j 64 --size +1b', command: (root) => ['fdfind', '-uu', '-j', '64', '--size', '+1b', '.', root] },
  { name: 'bfs -size +0', command: (root) => ['bfs', root, '-size', '+0'] },
  { name: 'gdu -n -c', command: (root) => ['gdu', '--no-progress', '-n', '-c', root] },
  {
    name: 'gufi_dir2index -n 64',
    command: (root) => ['gufi_dir2index', '-n', '64', root, mkdtempSync(join(scratch, 'gufi-'))],
  },
]

/**
 * `npm run bench -- slow`: walks a file system that answers each call after a fixed time, with the agent's walk and with similar
 * programs of this machine, each in a new mount. `--latency 2` (milliseconds) and `--shape small` or `huge` select measurements
 * and can be repeated, `--no-ring` denies io_uring to the agent's walk, and `--entries N` changes the number of files. A program that
 * needs more than two minutes is ended. Linux as root only.
 */
export const tool = defineTool({
  options: { latency: ['0', '0.5', '2', '10'], shape: ['small', 'huge'], entries: 200_000, 'no-ring': false },
  async run({ latency: latencies, shape: shapes, entries, 'no-ring': isWithoutRing }) {
    const missing = missingForSlowFs()
    if (missing !== undefined) throw new Error(`The slow file system can't be mounted: ${missing}`)
    const isHere = ({ command }: Walker) => spawnSync('which', command('').slice(0, 1)).status === 0
    const agent = ours(isWithoutRing)
    const { true: here = [], false: missed = [] } = Object.groupBy(others(scratchFolder()), (one) => `${isHere(one)}`)
    // An agent's code is compiled from its second start on.
    await measure(agent, { folders: 1, files: 1 }, 0)
    for (const { name } of missed) console.log(`not on this machine: ${name}`)
    for (const shape of shapes) {
      const files = filesInFolder[shape]
      if (files === undefined)
        throw new Error(`The shapes are ${Object.keys(filesInFolder).join(' and ')}, not ${shape}`)
      for (const latency of latencies.map(Number))
        await compare([agent, ...here], { folders: Math.ceil(entries / files), files }, latency)
    }
  },
})

/** Measures each walker in turn, and prints their costs. The latency is in milliseconds. */
async function compare(walkers: Walker[], shape: Shape, latency: number): Promise<void> {
  const { folders, files } = shape
  console.log(`\n${folders.toLocaleString('en')} × ${files.toLocaleString('en')} files, ${latency} ms per call`)
  const costs: Cost[] = []
  for (const walker of walkers) costs.push(await measure(walker, shape, latency))
  const best = Math.min(...costs.slice(1).map(({ seconds = Infinity }) => seconds))
  for (const cost of costs) printRow(cost, { files: folders * files, latency, best })
}

async function measure({ name, command, isOurs }: Walker, shape: Shape, latency: number): Promise<Cost> {
  const slowFs = await mountSlowFs({ ...shape, latency: latency * 1_000 })
  try {
    const { output, ...cost } = await run(command(slowFs.mount), isOurs ? 'pipe' : 'ignore')
    return { name, ...cost, ...(isOurs && walked(output, shape)), calls: await slowFs.calls() }
  } finally {
    await slowFs.unmount()
  }
}

/** Without the start of the process, since the agent runs already when a scan starts. */
function walked(output: string, { folders, files }: Shape): RunCost | undefined {
  if (output === '') return undefined
  const { seconds, memory, entries } = JSON.parse(output) as Record<'seconds' | 'memory' | 'entries', number>
  if (entries < folders * files) throw new Error(`The walk found only ${entries} entries`)
  return { seconds, memory }
}

/** Runs a command, and ends it after the maximum time. */
async function run([program = '', ...args]: string[], stdout: 'pipe' | 'ignore') {
  const child = spawn(program, args, {
    stdio: ['ignore', stdout, 'inherit'],
    env: withCompileCache(process.env),
  })
  let [memory, isLate] = [0, false]
  const reading = setInterval(() => (memory = Math.max(memory, peakMemoryOf(child.pid))), memoryIntervalMs)
  const limit = setTimeout(() => (isLate = child.kill('SIGKILL')), maxSeconds * 1_000)
  const exited = once(child, 'exit')
  const { seconds, result: output } = await timed(async () => {
    const printed = child.stdout ? await text(child.stdout) : ''
    await exited
    return printed
  })
  clearInterval(reading)
  clearTimeout(limit)
  if (child.exitCode !== 0 && !isLate) throw new Error(`${program} ended with ${child.exitCode}`)
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
    megabytes(memory).padStart(7),
    `${calls.calls.toLocaleString('en')} calls`.padStart(14),
    `${latency > 0 ? calls.mostWaiting : '–'} at once`.padStart(12),
    seconds === undefined || best === Infinity ? '' : `${(seconds / best).toFixed(2)} × best`.padStart(12),
  ]
  console.log(`  ${columns.join(' ')}`.trimEnd())
}
