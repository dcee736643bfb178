import type { LiveEvent } from '#events/live.ts'
import type { Config } from '#server/config.ts'
import type { AgentDoor } from './nats/agentDoor.ts'
import type { ClickHouse } from './clickhouse/index.ts'
import type { Log } from './logger.ts'
import type { Nats } from './nats/nats.ts'
import type { Db } from './postgres/postgres.ts'

/** The words of the machine that every domain is given: the stores, the log, and the way to the browsers. */
export type Platform = {
  config: Config
  db: Db
  clickhouse: ClickHouse
  nats: Nats
  agentDoor: AgentDoor
  /** Folder of the settings if the embedded Postgres is not in the data folder. */
  settingsFolder?: string | undefined
  log: Log
  /** Passes what happened to every browser that looks on, through all replicas of the server. */
  live: (event: LiveEvent) => void
}
