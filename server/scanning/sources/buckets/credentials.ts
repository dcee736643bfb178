import { type BucketCredentialDraft, factsOf } from '#events/sources/buckets.ts'
import type { DropboxCredentialDraft } from '#events/sources/dropbox.ts'
import { streamNames } from '#events/streams.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { type Credentials, credentialTable } from '#server/platform/crud/credentials.ts'
import { change } from '#server/platform/log/change.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { appKeyOf, signInBy } from './dropbox.ts'

/** Credentials for providers of object storage. */
export const bucketCredentials: Credentials<BucketCredentialDraft, 'accessKey' | 'privateKey' | 'sessionToken'> = {
  table: 'bucketCredentials',
  stream: streamNames.bucketCredential,
  one: 'bucket credential',
  shown: ['name', 'type', 'signIn', 'url'],
  secrets: { accessKey: 'access key', privateKey: 'private key', sessionToken: 'session token' },
  addressOf: ({ url }) => url,
  usedBy: (trx, id) =>
    trx
      .selectFrom('buckets')
      .innerJoin('volumes', 'volumes.id', 'buckets.volumeId')
      .select('volumes.name')
      .where('credentialId', '=', id)
      .where('volumes.deletedAt', 'is', null)
      .execute(),
}

/** Topics that a change of credentials affects. */
const topics = ['bucketCredentials'] as const

/**
 * The functions behind the table of credentials, for `crudRoutes`. Those of Dropbox are added and changed separately.
 */
export function bucketCredentialTable(platform: Pick<Platform, 'db' | 'config'>) {
  const { list, create, update, remove } = credentialTable(platform, bucketCredentials)
  return {
    topics,
    list,
    create: (...[change, draft]: Parameters<typeof create>) => create(change, ofProvider(draft, '')),
    update: async (...[change, id, draft]: Parameters<typeof update>) => {
      const sent = ofProvider(draft, null)
      const known = await checkType(change.trx, id, draft.type)
      if (draft.signIn === 'keys' && known.signIn === 'role') needKeys(sent)
      await update(change, id, sent)
    },
    remove,
  }
}

/** Sets the unused secret of providers that have only one. */
function ofProvider(draft: BucketCredentialDraft, none: '' | null): BucketCredentialDraft {
  if (draft.type === 'DROPBOX') invalid('type', 'is set up with POST and PUT of /v1/dropbox-credentials')
  if (draft.signIn === 'role') return { ...draft, accessKey: '', privateKey: '', sessionToken: '' }
  // A token belongs to its keys: new keys without one have none.
  const sessionToken = draft.sessionToken ?? (none === '' || draft.accessKey !== null ? '' : null)
  const privateKey = factsOf(draft.type).privateKey === undefined ? none : draft.privateKey
  return { ...draft, privateKey, sessionToken }
}

/** Throws 400 if a key should stay where none is stored. */
function needKeys(draft: BucketCredentialDraft): void {
  const missing = (['accessKey', 'privateKey'] as const).find((key) => draft[key] === null)
  if (missing !== undefined) invalid(missing, 'is required')
}

/** Returns the stored sign-in. Throws when the type changes: buckets have the type of their credentials. */
async function checkType(db: Pick<Db, 'selectFrom'>, id: number, type: BucketCredentialDraft['type']) {
  const known = await db
    .selectFrom('bucketCredentials')
    .select(['type', 'signIn'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!known) notFound(bucketCredentials.one, id)
  if (known.type !== type) invalid('type', 'cannot be changed')
  return known
}

/**
 * Adds credentials of Dropbox by a code of the caller, and returns their id. Throws as `signInBy` does, and 400 for an
 * invalid name.
 */
export async function createDropbox(platform: Platform, by: Caller, draft: DropboxCredentialDraft): Promise<number> {
  const code = codeOf(draft) ?? invalid('code', 'is required')
  appKeyOf(platform.config)
  await checkName(platform.db, draft.name)
  const sent = { ...ofDropbox(draft), ...(await signInBy(platform.config, by.id, code)) }
  const { create } = credentialTable(platform, bucketCredentials)
  return change(platform, by, topics, (change) => create(change, sent))
}

/** Changes credentials of Dropbox; without a code the stored sign-in stays. */
export async function updateDropbox(
  platform: Platform,
  by: Caller,
  id: number,
  draft: DropboxCredentialDraft,
): Promise<void> {
  const code = codeOf(draft)
  appKeyOf(platform.config)
  await checkType(platform.db, id, 'DROPBOX')
  await checkName(platform.db, draft.name, id)
  const kept = { accessKey: null, privateKey: null }
  const sent = { ...ofDropbox(draft), ...(code === null ? kept : await signInBy(platform.config, by.id, code)) }
  const { update } = credentialTable(platform, bucketCredentials)
  await change(platform, by, topics, (change) => update(change, id, sent))
}

const codeOf = ({ code, accessKey }: DropboxCredentialDraft): string | null => code ?? accessKey ?? null
const ofDropbox = ({ name }: DropboxCredentialDraft) =>
  ({ name, type: 'DROPBOX', signIn: 'keys', url: '', sessionToken: '' }) as const

/** Call it before using the code, which is valid only once. */
const checkName = (db: Db, value: string, own?: number): Promise<void> =>
  checkUnique(db.selectFrom('bucketCredentials'), { value, own, message: 'must be unique' })
