import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process as a file remembers it: numbers are given out again, so its start tells it from a later one. */
export type LiveProcess = { pid: number; started: string }

/** What runs under a process number, or undefined when nothing does. */
export function findProcess(pid: number): LiveProcess | undefined {
  const started = process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid)
  return started === undefined ? undefined : { pid, started }
}

/** Whether the very process that was remembered still runs. */
export const isAlive = ({ pid, started }: LiveProcess): boolean => findProcess(pid)?.started === started

/** Field 22 of `stat` is the start in clock ticks since boot; the boot tells apart two runs of the machine. */
function startOnLinux(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  if (state === undefined || state === 'Z' || state === 'X') return undefined
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${fields[18]}`
}

function startElsewhere(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
  } catch {
    return undefined
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Waits until a process is gone; false when it is still there after so many milliseconds. */
export async function waitForEnd(remembered: LiveProcess, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (isAlive(remembered)) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}
