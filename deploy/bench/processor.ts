import { readdirSync, readFileSync } from 'node:fs'

/** Processor seconds of each part of a scan. */
export type Parts = Record<string, number>

type Process = { parent: number; name: string; seconds: number; ofEnded: number }

/** What Linux counts in hundredths of a second, of a process with its threads or of one thread. */
function readProcess(path: string): Process | undefined {
  try {
    const text = readFileSync(`${path}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const words = text
      .slice(end + 2)
      .split(' ')
      .map(Number)
    const sum = (at: number) => ((words[at] ?? 0) + (words[at + 1] ?? 0)) / 100
    return { parent: words[1] ?? 0, name: text.slice(text.indexOf('(') + 1, end), seconds: sum(11), ofEnded: sum(13) }
  } catch {
    // It ended meanwhile.
    return undefined
  }
}

/** Of a process and its children, living ones and ended ones. */
export function secondsOfFamily(pid: number): number {
  const itself = readProcess(`/proc/${pid}`)
  const children = childrenOf(pid).map(({ seconds }) => seconds)
  return [itself?.seconds ?? 0, itself?.ofEnded ?? 0, ...children].reduce((sum, one) => sum + one, 0)
}

/** Of a process, and of its main thread alone. */
export const secondsOfProcess = (pid: number): number => readProcess(`/proc/${pid}`)?.seconds ?? 0
export const secondsOfMainThread = (pid: number): number => readProcess(`/proc/${pid}/task/${pid}`)?.seconds ?? 0

export const parentOf = (pid: number): number => readProcess(`/proc/${pid}`)?.parent ?? 0

/** The child of this process that has that name; 0 if there is none. */
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

/** Divides the seconds of this process among parts: `ended` gives one all since the call before. */
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
