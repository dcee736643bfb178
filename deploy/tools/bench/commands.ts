import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Seconds that each program needs for the tree: the median of three runs after a warm-up. */
export type Timed = { name: string; seconds: number }

const programs: { name: string; program: string; args: (root: string, scratch: string) => string[] }[] = [
  { name: 'du -s', program: 'du', args: (root) => ['-s', root] },
  { name: 'find -printf', program: 'find', args: (root) => [root, '-printf', '%p\t%s\t%T@\t%A@\t%U\t%G\t%m\t%i\n'] },
  { name: 'gdu', program: 'gdu', args: (root) => ['--non-interactive', '--no-progress', root] },
  { name: 'duc index', program: 'duc', args: (root, scratch) => ['index', '-d', `${scratch}/duc.db`, root] },
  { name: 'gufi_dir2index', program: 'gufi_dir2index', args: (root, scratch) => ['-n', '2', root, `${scratch}/gufi`] },
]

/** Measures the programs that this machine has. */
export function timePrograms(root: string, scratch: string): Timed[] {
  return programs
    .filter(({ program }) => spawnSync('which', [program]).status === 0)
    .map(({ name, program, args }) => ({ name, seconds: median(() => run(program, args(root, scratch))) }))
}

/** Median of three runs in seconds, after a warm-up. */
export function median(measure: () => number): number {
  measure()
  return [measure(), measure(), measure()].toSorted((a, b) => a - b)[1] as number
}

function run(program: string, args: string[]): number {
  const started = performance.now()
  const { status } = spawnSync(program, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
  return (performance.now() - started) / 1000
}

/** Peak memory of a process in bytes, as counted by Linux. */
export function peakMemory(process: number | 'self'): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Seconds of a process's main thread on a processor, and ready but waiting for one, as counted by Linux. */
export function scheduledSeconds(process: number): { ran: number; waited: number } {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${process}/schedstat`, 'utf8').split(' ').map(Number)
  return { ran: ran / 1e9, waited: waited / 1e9 }
}
