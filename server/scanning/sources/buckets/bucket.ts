import type { Selectable } from 'kysely'
import { type BucketDraft, type BucketType, factsOf } from '#events/sources/buckets.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { invalid } from '#server/platform/problem.ts'
import { builtInAgent } from '#events/agents.ts'
import { type SourceTable, sourceTable } from '../sourceTable.ts'

/** Columns of a bucket beyond the row of its volume. */
type Details = Omit<Selectable<Tables['buckets']>, 'id' | 'volumeId'>

/**
 * Splits a name. Names of buckets at Oracle start with their namespace, which has no dot; names of buckets may have
 * dots.
 */
export function splitName(type: BucketType, name: string): { namespace: string; bucket: string } {
  if (!factsOf(type).hasNamespace) return { namespace: '', bucket: name }
  const dot = name.indexOf('.')
  return { namespace: name.slice(0, Math.max(0, dot)), bucket: name.slice(dot + 1) }
}

/** The stored name of a bucket, also used by users and the provider's tools. */
export const nameOf = ({ type, name, namespace }: Pick<BucketDraft, 'type' | 'name' | 'namespace'>): string =>
  factsOf(type).hasNamespace && namespace !== '' && !name.startsWith(`${namespace}.`) ? `${namespace}.${name}` : name

/** Address of a bucket in the form that users write: `s3://films`, `s3://films/2024`, `azure://films`, `dropbox:/Films`. */
function placeOf(draft: BucketDraft): string {
  if (factsOf(draft.type).hasPath) return `dropbox:${draft.path}`
  const { bucket } = splitName(draft.type, nameOf(draft))
  return `${draft.type === 'AZURE' ? 'azure' : 's3'}://${bucket}${draft.prefix && `/${draft.prefix}`}`
}

/** The draft that the rows were made from. */
export const draftOf: SourceTable<BucketDraft, Details>['draftOf'] = (
  row,
  { name, region, credentialId, path, ...options },
) => ({
  name,
  description: row.name,
  type: row.type as BucketType,
  region,
  path,
  awsCredentialsId: credentialId ?? 0,
  storagePrice: row.storagePriceId === null ? null : { id: row.storagePriceId },
  namespace: splitName(row.type as BucketType, name).namespace,
  ...optionsOf(options),
  readMedia: row.readMedia,
  pace: row.pace,
})

const options = [
  'requestsPerSecond',
  'countsVersions',
  'inventory',
  'prefix',
  'requesterPays',
  'teamSpace',
  'queue',
] as const satisfies (keyof BucketDraft & keyof Details)[]

/** Fields that are the same in a draft and in its row. */
const optionsOf = ({
  requestsPerSecond,
  countsVersions,
  inventory,
  prefix,
  requesterPays,
  teamSpace,
  queue,
}: Pick<Details, (typeof options)[number]>): Pick<Details, (typeof options)[number]> => ({
  requestsPerSecond,
  countsVersions,
  inventory,
  prefix,
  requesterPays,
  teamSpace,
  queue,
})

/** A bucket of a provider. The agent that the server starts lists it. */
export const bucket = sourceTable<BucketDraft, Details>({
  kind: 'bucket',
  fields: { name: 'description', agent: 'type' },
  rowOf: (draft) => ({
    type: draft.type,
    name: draft.description,
    path: placeOf(draft),
    agentId: builtInAgent,
    storagePriceId: draft.storagePrice?.id ?? null,
    pace: draft.pace,
    followsChanges: draft.queue !== '',
    readMedia: draft.readMedia,
  }),
  details: {
    table: 'buckets',
    columns: ['name', 'region', 'credentialId', 'path', ...options],
    of: (draft) => ({
      name: nameOf(draft),
      region: draft.region,
      credentialId: draft.awsCredentialsId,
      path: draft.path,
      ...optionsOf(draft),
    }),
    check: async (trx, { credentialId, queue }, { type }, own) => {
      await checkCredentials(trx, credentialId ?? 0, type)
      if (queue !== '') await checkQueue(trx, queue, own)
    },
  },
  draftOf,
})

async function checkCredentials(trx: Trx, id: number, type: BucketType): Promise<void> {
  const found = await trx.selectFrom('bucketCredentials').select('type').where('id', '=', id).executeTakeFirst()
  if (!found) invalid('awsCredentialsId', 'must be credentials that exist')
  if (found.type !== type) invalid('awsCredentialsId', 'must be credentials of the same type')
}

/** Two storages would take each other's messages. */
async function checkQueue(trx: Trx, queue: string, own = 0): Promise<void> {
  const other = await trx
    .selectFrom('buckets')
    .innerJoin('volumes', 'volumes.id', 'buckets.volumeId')
    .select('volumes.name')
    .where('queue', '=', queue)
    .where('volumes.id', '!=', own)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (other) invalid('queue', `is used by ${other.name}. Each storage needs a queue of its own.`)
}
