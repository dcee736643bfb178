import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How long each program takes over the tree, in seconds: the median of three runs after one that warms the caches. */
export type Timed = { name: string; seconds: number }

const programs: { name: string; program: string; words: (root: string, scratch: string) => string[] }[] = [
  { name: 'du -s', program: 'du', words: (root) => ['-s', root] },
  { name: 'find -printf', program: 'find', words: (root) => [root, '-printf', '%p\t%s\t%T@\t%A@\t%U\t%G\t%m\t%i\n'] },
  { name: 'gdu', program: 'gdu', words: (root) => ['--non-interactive', '--no-progress', root] },
  { name: 'duc index', program: 'duc', words: (root, scratch) => ['index', '-d', `${scratch}/duc.db`, root] },
  { name: 'gufi_dir2index', program: 'gufi_dir2index', words: (root, scratch) => ['-n', '2', root, `${scratch}/gufi`] },
]

/** Times the programs that this machine has. */
export function timePrograms(root: string, scratch: string): Timed[] {
  return programs
    .filter(({ program }) => spawnSync('which', [program]).status === 0)
    .map(({ name, program, words }) => ({ name, seconds: median(() => run(program, words(root, scratch))) }))
}

/** The median of three runs in seconds, after one that is not counted. */
export function median(measure: () => number): number {
  measure()
  return [measure(), measure(), measure()].toSorted((a, b) => a - b)[1] as number
}

function run(program: string, words: string[]): number {
  const started = performance.now()
  const { status } = spawnSync(program, words, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
  return (performance.now() - started) / 1000
}

/** The peak of a process's memory in bytes, as Linux counts it. */
export function peakMemory(process: number | 'self'): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
