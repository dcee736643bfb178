import { sql } from 'kysely'
import type { NetworkCredentialDraft } from '#events/network-volumes.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict, invalid, notFound } from '#server/platform/problem.ts'
import { someNames } from '#server/platform/someNames.ts'
import { openSecret, sealSecret } from '#server/platform/secrets.ts'

type Stores = Pick<Platform, 'db' | 'config'>

/** Adds credentials and returns their id. Throws 400 for a name that is taken, and without a password. */
export async function createCredential({ db, config }: Stores, draft: NetworkCredentialDraft, by: Actor) {
  const { password, ...known } = draft
  if (password === null) return invalid('password', 'is required')
  return db.transaction().execute(async (trx) => {
    await checkName(trx, draft.name)
    // The secret opens at its own place only, which has a name when the row has a number.
    const row = { ...known, password: '' }
    const { id } = await trx.insertInto('networkCredentials').values(row).returning('id').executeTakeFirstOrThrow()
    const sealed = await sealSecret(config, placeOf(id), password)
    await trx.updateTable('networkCredentials').set({ password: sealed }).where('id', '=', id).execute()
    await recordChange(trx, streamOf(id), by, { after: { ...known, password: '(set)' } })
    return id
  })
}

/** Changes credentials; without a password they keep theirs. Throws 400 for a name that is taken. */
export async function updateCredential(
  { db, config }: Stores,
  id: number,
  { password, ...known }: NetworkCredentialDraft,
  by: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockCredential(trx, id)
    await checkName(trx, known.name, id)
    const sealed = password === null ? {} : { password: await sealSecret(config, placeOf(id), password) }
    await trx
      .updateTable('networkCredentials')
      .set({ ...known, ...sealed })
      .where('id', '=', id)
      .execute()
    const after = { ...known, password: password === null ? '(set)' : '(changed)' }
    await recordChange(trx, streamOf(id), by, { before: { ...before, password: '(set)' }, after })
  })
}

/** Deletes credentials that no storage uses; throws 409 with those that do. */
export async function removeCredential({ db }: Stores, id: number, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockCredential(trx, id)
    await checkUnused(trx, id, before.name)
    await trx.deleteFrom('networkCredentials').where('id', '=', id).execute()
    await recordChange(trx, streamOf(id), by, { before: { ...before, password: '(set)' } })
  })
}

/** The password of credentials; throws 409 with their name when the key of this server does not open it. */
export const openPassword = (
  config: Platform['config'],
  { id, name, sealed }: { id: number; name: string; sealed: string },
): Promise<string> =>
  openSecret(config, { name: placeOf(id), called: `The password of the credentials ${name}` }, sealed)

const placeOf = (id: number): string => `networkCredential-${id}.password`
const streamOf = (id: number): string => `networkCredential-${id}`

/** The row without its password, which nobody else changes or begins to use until the transaction is over. */
async function lockCredential(trx: Trx, id: number) {
  const found = trx.selectFrom('networkCredentials').select(['name', 'username', 'domain', 'options'])
  const row = await found.where('id', '=', id).forUpdate().executeTakeFirst()
  return row ?? notFound('On-Premises credentials', id)
}

async function checkName(trx: Trx, name: string, own = 0): Promise<void> {
  const taken = await trx
    .selectFrom('networkCredentials')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('id', '!=', own)
    .executeTakeFirst()
  if (taken) invalid('name', 'must be unique')
}

async function checkUnused(trx: Trx, id: number, name: string): Promise<void> {
  const rows = await trx
    .selectFrom('networkVolumes')
    .innerJoin('volumes', 'volumes.id', 'networkVolumes.volumeId')
    .select('volumes.name')
    .where('credentialId', '=', id)
    .where('volumes.deletedAt', 'is', null)
    .orderBy('volumes.name')
    .execute()
  if (rows.length === 0) return
  const storages = someNames(rows.map((row) => row.name))
  conflict(`Credentials ${name} are used by ${storages}. Give each other credentials first.`)
}
