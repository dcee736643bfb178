import type { Generated, JSONColumnType } from 'kysely'

/** A process that used an agent's key and was refused. Old agents send no machine. */
export type RefusedRun = {
  run: string
  host: string
  version: string
  machine: string | null
  boot: string | null
  pid: number | null
  /** The first and the last heartbeat since its machine started. */
  since: string
  at: string
}

/** The table of agents, and the process that holds each one's key. */
export type AgentTables = {
  agents: {
    id: Generated<number>
    name: string
    version: string | null
    host: string | null
    run: string | null
    lastCheckedAt: Date | null
    lastActiveAt: Date | null
    machine: string | null
    boot: string | null
    pid: number | null
    refused: JSONColumnType<RefusedRun> | null
    publicKey: string | null
    createdAt: Generated<Date>
    deletedAt: Date | null
  }
}
