import { sql } from 'kysely'
import { actionOfType, isOfPolicies, rightsOf } from '#events/actions/actions.ts'
import type { Bundle } from '#events/contract/needs.ts'
import { type JobType, jobTypes } from '#events/jobs/types.ts'
import { showsPart } from '#server/platform/callers/scope.ts'
import { sourceOfType } from '#events/sources/kinds.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type JobViewer, sightOf } from './ownJobs.ts'
import { typesOfJobs } from './readJobs.ts'

/** Job types that need neither a storage of a kind nor another system. */
const always: readonly JobType[] = ['SCAN_ON_PREMISES', 'TAG_SEARCH_RESULT', 'GENERATE_REPORT']

/**
 * Job types that can exist here: scans of kinds with a storage that the user sees, actions in systems that are licensed and set up, and
 * types that already have a job, with limits one that the user sees. In the order of all types, so that scans of file storages are the default.
 */
export async function notifiableTypes(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  by: JobViewer,
): Promise<JobType[]> {
  const living = db.selectFrom('volumes').select('type').where('deletedAt', 'is', null)
  const volumes = await living
    .where(showsPart(by.scope, sql`id`))
    .distinct()
    .execute()
  const jobs = await typesOfJobs(db, sightOf(by))
  const scans = volumes.flatMap(({ type }) => sourceOfType(type)?.scannedBy ?? [])
  const known = new Set<JobType>([...always, ...scans, ...jobs])
  const systems = new Set((await systemsOf(db)).filter((bundle) => config.bundles.includes(bundle)))
  const isPossible = (type: JobType): boolean => {
    const action = actionOfType(type)
    const bundle = action && rightsOf(action).bundle
    return action !== undefined && !isOfPolicies(action) && (bundle === undefined || systems.has(bundle))
  }
  return jobTypes.filter((type) => known.has(type) || isPossible(type))
}

/** The bundles whose system is set up. */
async function systemsOf(db: Db): Promise<Bundle[]> {
  const rows: Record<'archiwareP5' | 'soda' | 'storageManager' | 'iconik', unknown> = {
    archiwareP5: await db.selectFrom('archiwareCredentials').select('id').limit(1).executeTakeFirst(),
    soda: await db.selectFrom('sodaMappings').select('id').limit(1).executeTakeFirst(),
    storageManager: await db.selectFrom('storageManagerMappings').select('id').limit(1).executeTakeFirst(),
    iconik: await db
      .selectFrom('configurations')
      .select('name')
      .where('name', '=', 'iconikAppId')
      .where('value', '!=', '')
      .executeTakeFirst(),
  }
  return Object.entries(rows).flatMap(([bundle, row]) => (row ? [bundle as Bundle] : []))
}
