import type { PageQuery } from '#events/contract/page.ts'
import type { StorNextConfigDraft, StorNextConnection } from '#events/actions/storNext.ts'
import { streamNames } from '#events/streams.ts'
import { type Credentials, credentialTable, openCredential } from '#server/platform/crud/credentials.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, notFound } from '#server/platform/problem.ts'

type Services = Pick<Platform, 'db' | 'config'>

const configs: Credentials<StorNextConfigDraft, 'password'> = {
  table: 'storageManagerConfigs',
  stream: streamNames.storNextCredential,
  one: 'Quantum StorNext credentials',
  shown: ['name', 'host', 'username', 'certificateFingerprint'],
  secrets: { password: 'password' },
  addressOf: ({ host }) => host,
  usedBy: (trx, id) =>
    trx
      .selectFrom('storageManagerMappings')
      .innerJoin('volumes', 'volumes.id', 'storageManagerMappings.volumeId')
      .select('volumes.name')
      .where('storageManagerConfigId', '=', id)
      .where('volumes.deletedAt', 'is', null)
      .execute(),
}

/** The functions behind the table of credentials, for `crudRoutes`. */
export function storNextConfigTable(platform: Services) {
  const table = credentialTable(platform, configs)
  return {
    topics: ['storNextCredentials', 'storNextMappings'] as const,
    list: async (query: PageQuery) => {
      const { elements, ...page } = await table.list(query)
      return { ...page, elements: elements.map((row) => ({ ...row, username: row.username || null })) }
    },
    create: (change: Change, draft: StorNextConfigDraft) =>
      table.create(change, { ...withUser(draft), password: draft.password ?? '' }),
    /** Without a user, the stored password is removed. */
    update: (change: Change, id: number, draft: StorNextConfigDraft) =>
      table.update(change, id, { ...withUser(draft), password: draft.username === null ? '' : draft.password }),
    remove: table.remove,
  }
}

function withUser(draft: StorNextConfigDraft): StorNextConfigDraft {
  if (draft.username === null && draft.password !== null)
    invalid('username', 'must not be empty if there is a password')
  return draft
}

/**
 * Web services of Quantum StorNext with the password to sign in there, which goes to an agent and nowhere else. Throws 404
 * without the credentials, and 409 if they were encrypted with a different server key.
 */
export async function readStorNextConfig({ db, config }: Services, id: number): Promise<StorNextConnection> {
  const row = await db.selectFrom('storageManagerConfigs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return notFound(configs.one, id)
  const { name, host, username, password: sealed, certificateFingerprint: fingerprint } = row
  const password = sealed && (await openCredential(config, configs, { id, name, secret: 'password', sealed }))
  return { host, ...(username && { username, password }), ...(fingerprint && { fingerprint }) }
}
