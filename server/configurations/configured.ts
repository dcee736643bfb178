import { type ConfigurationName, configurationKeys } from '#events/configurations.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'

/** What an administrator set under this name, else its usual value. */
export async function configured(db: Db | Trx, name: ConfigurationName): Promise<string> {
  const row = await db.selectFrom('configurations').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? configurationKeys[name].usual
}

/** The same as a number. */
export const configuredNumber = async (db: Db | Trx, name: ConfigurationName): Promise<number> =>
  Number(await configured(db, name))
