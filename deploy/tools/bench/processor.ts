import { readdirSync, readFileSync } from 'node:fs'

/** Processor seconds of each part of a scan. */
export type Parts = Record<string, number>

type Process = { parent: number; name: string; seconds: number; ofEnded: number }

/** Processor seconds of a process with its threads, or of one thread. Linux counts hundredths of a second. */
function readProcess(path: string): Process | undefined {
  try {
    const text = readFileSync(`${path}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number)
    const sum = (at: number) => ((fields[at] ?? 0) + (fields[at + 1] ?? 0)) / 100
    return { parent: fields[1] ?? 0, name: text.slice(text.indexOf('(') + 1, end), seconds: sum(11), ofEnded: sum(13) }
  } catch {
    // The process has ended meanwhile.
    return undefined
  }
}

/** Processor seconds of a process and its children, including children that have ended. */
export function secondsOfFamily(pid: number): number {
  const itself = readProcess(`/proc/${pid}`)
  const children = childrenOf(pid).map(({ seconds }) => seconds)
  return [itself?.seconds ?? 0, itself?.ofEnded ?? 0, ...children].reduce((sum, one) => sum + one, 0)
}

/** Processor seconds of a process, and of its main thread. */
export const secondsOfProcess = (pid: number): number => readProcess(`/proc/${pid}`)?.seconds ?? 0
export const secondsOfMainThread = (pid: number): number => readProcess(`/proc/${pid}/task/${pid}`)?.seconds ?? 0

export const parentOf = (pid: number): number => readProcess(`/proc/${pid}`)?.parent ?? 0

/** Process ID of the child with that name; 0 if none. */
export const childNamed = (wanted: string): number =>
  childrenOf(process.pid).find(({ name }) => name === wanted)?.pid ?? 0

const childrenOf = (parent: number): (Process & { pid: number })[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      const found = readProcess(`/proc/${pid}`)
      return found?.parent === parent ? [{ pid, ...found }] : []
    })

/** Attributes the seconds of this process to parts: `ended` adds all since the previous call to one part. */
export function newMeter() {
  const parts: Parts = {}
  let before = process.cpuUsage()
  return {
    parts,
    ended(part: string): void {
      const { user, system } = process.cpuUsage(before)
      before = process.cpuUsage()
      parts[part] = (parts[part] ?? 0) + (user + system) / 1e6
    },
  }
}
