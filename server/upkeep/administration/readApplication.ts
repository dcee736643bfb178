import { sql as postgres } from 'kysely'
import { describeMachine, machine } from '#events/node/index.ts'
import type { Application } from '#events/administration.ts'
import { buildReader, clientFolder } from '#server/platform/http/clientFiles.ts'
import { checkStores, type Store, stores } from '#server/platform/http/health.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import packageJson from '../../../package.json' with { type: 'json' }

const upSince = new Date(Date.now() - process.uptime() * 1_000).toISOString()
const build = buildReader(clientFolder)

/** Describes the running server and the state of its stores. */
export async function readApplication(platform: Platform): Promise<Application> {
  const health = await checkStores(platform)
  const states = (Object.keys(stores) as Store[]).map(async (store) => {
    const isUp = health[store].status === 'UP'
    return { name: stores[store], isUp, version: isUp ? await versionOf[store](platform).catch(() => null) : null }
  })
  return {
    version: packageJson.version,
    build: build(),
    node: process.versions.node,
    upSince,
    settingsFolder: platform.settingsFolder ?? null,
    machine: describeMachine(machine()),
    stores: await Promise.all(states),
  }
}

const versionOf: Record<Store, (platform: Platform) => Promise<string | null>> = {
  async postgres({ db }) {
    const { rows } = await postgres<{ version: string }>`SELECT current_setting('server_version') AS version`.execute(
      db,
    )
    return rows[0]?.version ?? null
  },
  async clickhouse({ clickhouse }) {
    return (await clickhouse.one<{ version: string }>(sql`SELECT version() AS version`)).version
  },
  nats: async ({ nats }) => nats.connection.info?.version ?? null,
}
