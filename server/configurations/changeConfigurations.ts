import { sql } from 'kysely'
import { type ConfigurationEntry, type ConfigurationName, configurationKeys, isHashed } from '#events/configurations.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sealSecret } from '#server/platform/secrets.ts'
import { type Changes, checkEntries } from './checkEntries.ts'
import { type Stored, entryOf, readStored } from './listConfigurations.ts'

/** Entries by which snapshots that are there already show something else. */
const whatSnapshotsShow: ConfigurationName[] = [
  'scan.tagDuplicate.minimumSize',
  'isPerformanceModeActive',
  'deletedFilesNumberOfDays',
]

type Given = { name: ConfigurationName; value: string }[]

/** Changes all entries that are given another value, or none; answers those that changed. */
export async function changeConfigurations(
  { db, config, live }: Pick<Platform, 'db' | 'config' | 'live'>,
  given: Given,
  by: Actor,
): Promise<ConfigurationEntry[]> {
  const changed = await db.transaction().execute(async (trx) => {
    // Two who change at once follow each other; those who read wait for nobody.
    await sql`LOCK TABLE configurations IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
    const before = await readStored(trx)
    const changes = checkEntries(given, before)
    for (const [name, value] of changes) await store(trx, name, isHashed(name) ? await seal(name, value) : value)
    const after = await readStored(trx)
    if (changes.size > 0) {
      await recordChange(trx, 'configuration', by, { before: told(changes, before), after: told(changes, after) })
    }
    return [...changes.keys()].map((name) => entryOf(name, after))
  })
  if (changed.length > 0) {
    wakeFollowers()
    const changesSnapshots = changed.some(({ name }) => whatSnapshotsShow.includes(name))
    live({ type: 'changed', topics: ['configurations', ...(changesSnapshots ? ['snapshots'] : [])] })
  }
  return changed

  async function seal(name: ConfigurationName, value: string) {
    return value === '' ? '' : sealSecret(config, name, value)
  }
}

/** A value that is the usual one is not kept. */
async function store(trx: Trx, name: ConfigurationName, value: string): Promise<void> {
  if (value === configurationKeys[name].usual) {
    await trx.deleteFrom('configurations').where('name', '=', name).execute()
    return
  }
  await trx
    .insertInto('configurations')
    .values({ name, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute()
}

/** As the event log tells it: of secrets, whether there is one. */
const told = (changes: Changes, stored: Stored): Record<string, string> =>
  Object.fromEntries(
    [...changes.keys()].map((name) => {
      const { value, isSet } = entryOf(name, stored)
      return [name, value ?? (isSet ? '(set)' : '(not set)')]
    }),
  )
