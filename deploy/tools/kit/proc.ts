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

/** Processor seconds of a process with its threads so far. Linux counts hundredths of a second. */
export function secondsOf(pid: number): number {
  const stat = read(`${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`
