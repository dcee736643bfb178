import { streamNames } from '#events/streams.ts'
import { sql } from 'kysely'
import type { ChangeTopic } from '#events/changes.ts'
import {
  agentLists,
  agentsIn,
  bundleOf,
  type ConfigurationEntry,
  type ConfigurationName,
  configurationKeys,
  isHashed,
} from '#events/configurations.ts'
import { checkLicence } from '#server/platform/http/mount.ts'
import { forgetUserLimits } from '#server/platform/limits/userLimits.ts'
import { forgetApplicationUrl } from '#server/platform/http/place/publicPlace.ts'
import { change } from '#server/platform/log/change.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid } from '#server/platform/problem.ts'
import { sealSecret } from '#server/platform/secrets.ts'
import { type Changes, checkEntries } from './checkEntries.ts'
import { defaultOf, type StoredValues, entryOf, readStored } from './listConfigurations.ts'

/** Entries that change what existing snapshots show. */
const whatSnapshotsShow: ConfigurationName[] = [
  'scan.tagDuplicate.minimumSize',
  'isPerformanceModeActive',
  'deletedFilesNumberOfDays',
]

type Value = { name: ConfigurationName; value: string }

type Deps = Pick<Platform, 'db' | 'config' | 'live'>

/** Changes all entries with a new value, or none; returns those that changed. */
export async function changeConfigurations(platform: Deps, values: Value[], by: Actor): Promise<ConfigurationEntry[]> {
  const changed = await changeAll(platform, values, by)
  if (changed.some(({ name }) => name === 'app.url')) forgetApplicationUrl(platform.db)
  forgetUserLimits(platform.db)
  return changed
}

const changeAll = (platform: Deps, values: Value[], by: Actor): Promise<ConfigurationEntry[]> =>
  change(platform, by, topicsOf, async ({ trx, record }) => {
    const { config } = platform
    // Concurrent changes run one after another; readers never wait.
    await sql`LOCK TABLE configurations IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
    const before = await readStored(trx)
    const changes = checkEntries(values, before, config)
    await checkAgents(trx, changes)
    for (const name of changes.keys()) checkLicence({ bundle: bundleOf(name) }, config.bundles)
    for (const [name, value] of changes) await store(trx, config, name, await seal(config, name, value))
    const after = await readStored(trx)
    if (changes.size > 0) {
      await record(streamNames.configuration, {
        before: audited(config, changes, before),
        after: audited(config, changes, after),
      })
    }
    return [...changes.keys()].map((name) => entryOf(config, name, after))
  })

/** Throws 400 for a list with agents that don't exist. */
async function checkAgents(trx: Trx, changes: Changes): Promise<void> {
  const agents = await trx.selectFrom('agents').select('id').where('deletedAt', 'is', null).execute()
  const known = new Set(agents.map(({ id }) => id))
  for (const name of agentLists)
    if (agentsIn(changes.get(name) ?? '').some((id) => !known.has(id))) invalid(name, 'Agents must exist')
}

const topicsOf = (changed: ConfigurationEntry[]): ChangeTopic[] =>
  changed.length === 0
    ? []
    : [
        'configurations',
        ...(changed.some(({ name }) => whatSnapshotsShow.includes(name)) ? ['snapshots' as const] : []),
      ]

const seal = async (config: Platform['config'], name: ConfigurationName, value: string): Promise<string> =>
  isHashed(name) && value !== '' ? sealSecret(config, name, value) : value

type Config = Platform['config']

/** Default values are not stored. */
async function store(trx: Trx, config: Config, name: ConfigurationName, value: string): Promise<void> {
  if (value === configurationKeys[name].defaultValue || value === defaultOf(config, name)) {
    await trx.deleteFrom('configurations').where('name', '=', name).execute()
    return
  }
  await trx
    .insertInto('configurations')
    .values({ name, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute()
}

/** The record for the event log: of secrets only whether they are set. */
const audited = (config: Config, changes: Changes, stored: StoredValues): Record<string, string> =>
  Object.fromEntries(
    [...changes.keys()].map((name) => {
      const { value, isSet } = entryOf(config, name, stored)
      return [name, value ?? (isSet ? '(set)' : '(not set)')]
    }),
  )
