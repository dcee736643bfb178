import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentMachine, AgentProcess } from '#events/agents.ts'

/** Files that hold the ID of a Linux machine. */
const machineIdFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * Identifies this machine and this process. The ID is the machine's own, or one that is kept in the agent's folder where the
 * machine has none, such as in most containers. Throws where that folder cannot be written.
 */
export function readMachine(state: string, run: string, idFiles = machineIdFiles): AgentMachine {
  return { id: hash(machineId(idFiles) ?? keptId(state)), boot: hash(bootOf() ?? run), pid: process.pid }
}

/** The process has ended: it ran since the same boot, and can be seen from here. */
export const isGone = ({ boot, pid }: AgentProcess, self: AgentMachine): boolean =>
  boot === self.boot && (pid === self.pid || !exists(pid))

/** IDs of machines are not for others: only their hashes leave them. */
const hash = (text: string): string => createHash('sha256').update(`dataintell ${text}`).digest('hex').slice(0, 32)

function machineId(files: readonly string[]): string | undefined {
  for (const file of files) {
    const id = contentOf(file)
    if (id !== undefined && /^[0-9a-f]{32}$/.test(id)) return id
  }
  return undefined
}

function keptId(state: string): string {
  const file = join(state, 'machine')
  const known = contentOf(file)
  if (known) return known
  const id = randomUUID()
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    writeFileSync(file, `${id}\n`, { mode: 0o600 })
  } catch (error) {
    throw new Error(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}): see AGENT_STATE`, {
      cause: error,
    })
  }
  return id
}

/** Linux alone says; process IDs are those of a namespace. */
function bootOf(): string | undefined {
  const boot = contentOf('/proc/sys/kernel/random/boot_id')
  try {
    return boot && `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is there, too.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
