import type { LiveEvent } from '#events/live.ts'
import type { Config } from '#server/platform/config.ts'
import type { AgentDoor } from './nats/agentDoor.ts'
import type { ClickHouse } from './clickhouse/index.ts'
import type { Log } from './logger.ts'
import type { Nats } from './nats/nats.ts'
import type { Db } from './postgres/postgres.ts'

/** Infrastructure for every domain: stores, logging, and events to browsers. */
export type Platform = {
  config: Config
  db: Db
  clickhouse: ClickHouse
  nats: Nats
  agentDoor: AgentDoor
  /** Folder of the settings if the embedded Postgres is not in the data folder. */
  settingsFolder?: string | undefined
  log: Log
  /** Sends an event to every connected browser, through all replicas of the server. */
  live: (event: LiveEvent) => void
}

/** Stores of entries: their settings, and their rows. */
export type Stores = Pick<Platform, 'db' | 'clickhouse'>
