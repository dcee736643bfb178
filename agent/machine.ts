import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentMachine, AgentProcess } from '#events/agents.ts'

/** Files with the ID of a Linux machine. */
const machineIdFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * Identifies this machine and this process. The ID is that of the machine or, where the machine has none, as in most
 * containers, one stored in the agent's folder. Throws if that folder can't be written.
 */
export function readMachine(state: string, run: string, idFiles = machineIdFiles): AgentMachine {
  return { id: hash(machineId(idFiles) ?? keptId(state)), boot: hash(bootOf() ?? run), pid: process.pid }
}

/** True if the process ran since the same boot, is visible from here, and has ended. */
export const isGone = ({ boot, pid }: AgentProcess, self: AgentMachine): boolean =>
  boot === self.boot && (pid === self.pid || !exists(pid))

/** Machine IDs are confidential; only their hashes are sent. */
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

/** Only available on Linux. Process IDs are those of a PID namespace. */
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
    // EPERM means that the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
