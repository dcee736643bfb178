import {
  type ConfigurationEntry,
  type ConfigurationName,
  configurationKeys,
  configurationNames,
  isHashed,
} from '#events/configurations.ts'
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

/** Lists every entry of the configuration; secrets without their values. */
export async function listConfigurations({
  db,
  config,
}: Pick<Platform, 'db' | 'config'>): Promise<ConfigurationEntry[]> {
  const stored = await readStored(db)
  const entries = configurationNames.map((name) => entryOf(name, stored))
  return Promise.all(
    entries.map(async (entry) => {
      const sealed = entry.isHashed ? stored.get(entry.name) : undefined
      return sealed === undefined ? entry : { ...entry, isLost: await isOfAnotherKey(config, sealed) }
    }),
  )
}

/** An entry as stored by this server, with a secret it can open. */
export function entryOf(name: ConfigurationName, stored: StoredValues): ConfigurationEntry {
  const { description, defaultValue } = configurationKeys[name]
  const value = isHashed(name) ? null : (stored.get(name) ?? defaultValue)
  return { name, description, value, isHashed: isHashed(name), isSet: stored.has(name), isLost: false }
}
