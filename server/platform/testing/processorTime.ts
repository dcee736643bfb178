import { globSync, readFileSync } from 'node:fs'

type Process = { parent: number; ownMs: number; endedChildrenMs: number }

/** Milliseconds of a clock tick in `/proc`, the same on all systems that Node supports. */
const tickMs = 10

/**
 * Milliseconds of processor time that a process and everything it started used so far, including children that ended.
 * Processes that moved to another parent aren't found. 0 without `/proc`.
 */
const processorMs = (pid: number): number => Math.max(readProcessorMs(pid), readProcessorMs(pid))

/** Too low if a process ends between reading its parent and itself. */
function readProcessorMs(pid: number): number {
  const known = readProcesses()
  const childrenOf = Map.groupBy(known.keys(), (each) => known.get(each)?.parent)
  const sumOf = (each: number): number => {
    const { ownMs = 0, endedChildrenMs = 0 } = known.get(each) ?? {}
    return (childrenOf.get(each) ?? []).reduce((sum, child) => sum + sumOf(child), ownMs + endedChildrenMs)
  }
  return sumOf(pid)
}

let sharedMs = 0

/** Counts the processor time that a process used until now for all test files instead of the one that started it. */
export const shareProcessorTime = (pid: number): void => void (sharedMs += processorMs(pid))

/**
 * Processor time of this process and everything it started, without the shared time of all test files, in milliseconds.
 */
export const processorMsOfTests = (): number => processorMs(process.pid) - sharedMs

function readProcesses(): Map<number, Process> {
  const known = new Map<number, Process>()
  for (const file of globSync('/proc/[0-9]*/stat')) {
    const found = readProcess(file)
    if (found) known.set(Number(file.split('/')[2]), found)
  }
  return known
}

/** Returns undefined for a process that has ended. */
function readProcess(file: string): Process | undefined {
  try {
    const stat = readFileSync(file, 'utf8')
    // The name before the last parenthesis may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((i) =>
      Number(fields[i]),
    )
    const ownMs = (user + system) * tickMs
    return { parent, ownMs, endedChildrenMs: (endedUser + endedSystem) * tickMs }
  } catch {
    return undefined
  }
}
