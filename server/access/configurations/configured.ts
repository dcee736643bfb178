import { type ConfigurationName, type HashedName, configurationKeys } from '#events/configurations.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { openSecret } from '#server/platform/secrets.ts'

type PlainName = Exclude<ConfigurationName, HashedName>

/** The value of an entry: set by an administrator, or the default. */
export const configured = async (db: Db | Trx, name: PlainName): Promise<string> =>
  (await stored(db, name)) ?? configurationKeys[name].defaultValue

/** The same as a number. */
export const configuredNumber = async (db: Db | Trx, name: PlainName): Promise<number> =>
  Number(await configured(db, name))

/** The values of several entries, in one query. */
export async function configuredValues<N extends PlainName>(db: Db | Trx, ...names: N[]): Promise<Record<N, string>> {
  const rows = await db.selectFrom('configurations').selectAll().where('name', 'in', names).execute()
  const defaults = names.map((name) => [name, configurationKeys[name].defaultValue])
  return Object.fromEntries([...defaults, ...rows.map(({ name, value }) => [name, value])]) as Record<N, string>
}

/** A secret in plain text; undefined if not set. */
export async function configuredSecret(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  name: HashedName,
): Promise<string | undefined> {
  const sealed = await stored(db, name)
  const called = `The ${inSentence(configurationKeys[name].description)}`
  return sealed === undefined ? undefined : openSecret(config, { name, called }, sealed)
}

/** `Mail password` becomes `mail password`. Names of products keep their capitals. */
const inSentence = (description: string): string =>
  description.replace(/^[A-Z](?=[a-z]+ [a-z])/, (letter) => letter.toLowerCase())

async function stored(db: Db | Trx, name: ConfigurationName): Promise<string | undefined> {
  const row = await db.selectFrom('configurations').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}
