import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'

/** A process as it can be found again after a crash: numbers are given out anew, so the moment of its start counts too. */
export type Known = { pid: number; born: string }

/** The process of that number, if there is one now. */
export function findProcess(pid: number): Known | undefined {
  try {
    process.kill(pid, 0)
    return { pid, born: bornOf(pid) }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? { pid, born: bornOf(pid) } : undefined
  }
}

/** Whether it is still the same process, and not another one with its number. */
export const isAlive = ({ pid, born }: Known): boolean => findProcess(pid)?.born === born

/** Waits until a process is gone, for at most `milliseconds`; true when it is. */
export async function waitForEnd(known: Known, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    if (!isAlive(known)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return !isAlive(known)
}

function bornOf(pid: number): string {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // The 22nd field is the start in clock ticks since boot; a dead process that nobody has reaped is gone.
  return state === 'Z' ? 'ended' : (fields[18] ?? '')
}

/** The name of a running program, where the system tells it. */
export function programOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** A port of 127.0.0.1 that is free right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
