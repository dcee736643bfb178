import { globSync, readFileSync } from 'node:fs'

/** Processor time in milliseconds: of a process itself, and of its children, those that ended included. */
export type ProcessorTime = { own: number; children: number }

type Process = { pid: number; parent: number; ownMs: number; endedChildrenMs: number }

/** Clock ticks of `/proc` last this long on every Linux that Node supports. */
const tickMs = 10

/** Processor time used so far by this process and by all processes that it started. Other systems than Linux show only its own. */
export function processorTime(pid = process.pid): ProcessorTime {
  const all = globSync('/proc/[0-9]*/stat').flatMap((file) => readProcess(file) ?? [])
  const childrenOf = Map.groupBy(all, ({ parent }) => parent)
  const subtreeMs = (parent: number): number =>
    (childrenOf.get(parent) ?? []).reduce(
      (sum, child) => sum + child.ownMs + child.endedChildrenMs + subtreeMs(child.pid),
      0,
    )
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1_000
  return { own, children: (all.find((each) => each.pid === pid)?.endedChildrenMs ?? 0) + subtreeMs(pid) }
}

/** Undefined for a process that ended meanwhile. */
function readProcess(file: string): Process | undefined {
  try {
    const stat = readFileSync(file, 'utf8')
    // The name before the last parenthesis may hold spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((i) => fields[i])
    return {
      pid: Number.parseInt(stat),
      parent,
      ownMs: (user + system) * tickMs,
      endedChildrenMs: (endedUser + endedSystem) * tickMs,
    }
  } catch {
    return undefined
  }
}
