import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withCompileCache } from '#deploy/local/compileCache.ts'
import { megabytes } from '../../kit/proc.ts'
import { scratchFolder } from '../../kit/ends.ts'
import { medianOfThree, sum, timed } from '../../kit/samples.ts'
import { makeTree } from '#deploy/local/testing/tree.ts'
import { defineTool } from '../../kit/tool.ts'
import type { ScanCost } from './scanTwice.ts'

/** Similar programs. Those that this machine has are measured. */
const programs: Record<string, (root: string, scratch: string) => [program: string, ...args: string[]]> = {
  'du -s': (root) => ['du', '-s', root],
  'find -printf': (root) => ['find', root, '-printf', '%p\t%s\t%T@\t%A@\t%U\t%G\t%m\t%i\n'],
  gdu: (root) => ['gdu', '--non-interactive', '--no-progress', root],
  'duc index': (root, scratch) => ['duc', 'index', '-d', `${scratch}/duc.db`, root],
  gufi_dir2index: (root, scratch) => ['gufi_dir2index', '-n', '2', root, `${scratch}/gufi`],
}

/**
 * `npm run bench [-- FILES] [--times N]`: creates a tree of small files, walks it, scans it twice into its own data folder, and prints each
 * time as a ratio to `du -s` measured in the same run. Of N scans without changes the median counts. Linux only.
 */
export const tool = defineTool({
  options: { files: 1_000_000, times: 1 },
  positional: 'files',
  async run({ files: wanted, times }) {
    const scratch = scratchFolder()
    const tree = join(scratch, 'tree')
    const { files, folders } = makeTree(tree, wanted)
    console.log(`${files} files in ${folders} folders`)
    let du = Number.NaN
    const row = (name: string, seconds: number) =>
      console.log(
        `${name.padEnd(30)} ${seconds.toFixed(2).padStart(7)} s ${(seconds / du).toFixed(2).padStart(6)} × du -s`,
      )
    for (const [name, command] of Object.entries(programs)) {
      const [program, ...args] = command(tree, scratch)
      if (spawnSync('which', [program]).status !== 0) continue
      const seconds = await medianOfThree(() => timeProgram(program, args))
      if (name === 'du -s') du = seconds
      row(name, seconds)
    }
    row('walk only', await medianOfThree(() => runProgram<{ seconds: number }>('walk.ts', [tree]).seconds))
    printScans(runProgram('scanTwice.ts', [tree, `${times}`], { DATAINTELL_DATA: join(scratch, 'data') }), row)
  },
})

async function timeProgram(program: string, args: string[]): Promise<number> {
  const { seconds, result } = await timed(() => spawnSync(program, args, { stdio: 'ignore' }))
  if (result.status !== 0) throw new Error(`${program} ended with ${result.status}`)
  return seconds
}

/** Runs a program of this folder in a process of its own, like an agent or a server. Returns what it prints. */
function runProgram<T>(program: string, args: string[], environment: NodeJS.ProcessEnv = {}): T {
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, program), ...args], {
    env: withCompileCache({ ...process.env, ...environment }),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as T
}

function printScans(
  { first, second }: Record<'first' | 'second', ScanCost>,
  row: (name: string, seconds: number) => void,
) {
  row('scan to committed snapshot', first.seconds)
  row('second scan, nothing changed', second.seconds)
  console.log(`rows per second        ${Math.round(first.entries / first.seconds)}`)
  console.log(`bytes on disk per entry ${(first.disk / first.entries).toFixed(1)}`)
  console.log(`  added by the second   ${((second.disk - first.disk) / second.entries).toFixed(3)}`)
  console.log(`peak memory, server    ${megabytes(Math.max(first.server, second.server))}`)
  console.log(`peak memory, agent     ${megabytes(Math.max(first.agent, second.agent))}`)
  for (const [scan, { parts }] of Object.entries({ first, second })) {
    console.log(`Processor seconds of the ${scan} scan`)
    const all = sum(Object.values(parts))
    const sums = { server: all - (parts['agent'] ?? 0), all }
    for (const [part, seconds] of Object.entries({ ...parts, ...sums })) if (seconds >= 0.01) row(`  ${part}`, seconds)
  }
}
