import {
  type ConfigurationEntry,
  type ConfigurationName,
  configurationKeys,
  configurationNames,
  isHashed,
} from '#events/configurations.ts'
import { clusterSize, type ClusterSize } from '#server/platform/clickhouse/cluster/checkForm.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { isOfAnotherKey } from '#server/platform/secrets.ts'

/** Stored values by name; secrets are encrypted. */
export type StoredValues = ReadonlyMap<string, string>

export async function readStored(db: Db | Trx): Promise<StoredValues> {
  const rows = await db.selectFrom('configurations').selectAll().execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Lists every entry of the configuration; secrets without their values, and shards and replicas as a cluster has them. */
export async function listConfigurations({
  db,
  config,
  clickhouse,
}: Pick<Platform, 'db' | 'config' | 'clickhouse'>): Promise<ConfigurationEntry[]> {
  const [stored, size] = await Promise.all([readStored(db), clusterSize(clickhouse)])
  const entries = configurationNames.map((name) => ofCluster(entryOf(config, name, stored), size))
  return Promise.all(
    entries.map(async (entry) => {
      const sealed = entry.isHashed ? stored.get(entry.name) : undefined
      return sealed === undefined ? entry : { ...entry, isLost: await isOfAnotherKey(config, sealed) }
    }),
  )
}

function ofCluster(entry: ConfigurationEntry, size: ClusterSize | undefined): ConfigurationEntry {
  if (size === undefined) return entry
  if (entry.name.endsWith('NumberOfShards')) return { ...entry, value: String(size.shards) }
  return entry.name.endsWith('NumberOfReplicas') ? { ...entry, value: String(size.replicas) } : entry
}

/** An entry as stored by this server, with a secret it can open. */
export function entryOf(config: Platform['config'], name: ConfigurationName, stored: StoredValues): ConfigurationEntry {
  const value = stored.get(name) ?? defaultOf(config, name)
  return {
    name,
    description: configurationKeys[name].description,
    value: isHashed(name) ? null : value,
    isHashed: isHashed(name),
    isSet: isHashed(name) ? value !== '' : stored.has(name),
    isLost: false,
  }
}

/** Value of an entry that is not set: from the environment, if it can be given there. */
export function defaultOf(config: Platform['config'], name: ConfigurationName): string {
  const { iconikUrl, sodaUrl, sodaClientId, sodaClientSecret } = config
  const given: Partial<Record<ConfigurationName, string | undefined>> = {
    iconikUrl,
    sodaUrl,
    sodaClientId,
    sodaClientSecret,
  }
  return given[name] ?? configurationKeys[name].defaultValue
}
