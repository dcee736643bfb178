import { readdirSync, readFileSync } from 'node:fs'

type Pid = number | 'self' | undefined

/** A file about a process, as Linux shows it. Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

const statusBytes = (pid: Pid, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(read(`${pid}/status`))?.[1] ?? 0) * 1024

/** Resident bytes of a process; 0 if it has ended. */
export const memoryOf = (pid: Pid): number => statusBytes(pid, 'VmRSS')

/** Peak of the resident bytes of a process; 0 if it has ended. */
export const peakMemoryOf = (pid: Pid): number => statusBytes(pid, 'VmHWM')

/** Open files and sockets of a process; 0 if it has ended. */
export function openFilesOf(pid: Pid): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** Seconds of a process's main thread on a processor, and ready but waiting for one. */
export function scheduledSeconds(pid: number): { ran: number; waited: number } {
  const [ran = 0, waited = 0] = read(`${pid}/schedstat`).split(' ').map(Number)
  return { ran: ran / 1e9, waited: waited / 1e9 }
}

/** A process with its threads, or one thread, with processor seconds. Linux counts hundredths of a second. */
function stat(path: string) {
  const text = read(`${path}/stat`)
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const sum = (at: number) => (Number(fields[at] ?? 0) + Number(fields[at + 1] ?? 0)) / 100
  const name = text.slice(text.indexOf('(') + 1, end)
  return { parent: Number(fields[1] ?? 0), name, seconds: sum(11), endedChildren: sum(13) }
}

const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d/.test(name))
    .map((pid) => ({ pid: Number(pid), ...stat(pid) }))
    .filter((found) => found.parent === parent)

/** Processor seconds of a process with its threads, of its main thread, and with its children, also those that have ended. */
export const secondsOf = (pid: number): number => stat(`${pid}`).seconds
export const secondsOfMainThread = (pid: number): number => stat(`${pid}/task/${pid}`).seconds
export const secondsOfFamily = (pid: number): number =>
  childrenOf(pid).reduce((sum, { seconds }) => sum + seconds, stat(`${pid}`).seconds + stat(`${pid}`).endedChildren)

export const parentOf = (pid: number): number => stat(`${pid}`).parent

/** Process ID of the child of this process with that name; 0 if none. */
export const childNamed = (wanted: string): number =>
  childrenOf(process.pid).find(({ name }) => name === wanted)?.pid ?? 0

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`
