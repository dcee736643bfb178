import type { Kysely } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { StreamName } from '#events/streams.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { isOfAnotherKey, openSecret, sealSecret } from '#server/platform/secrets.ts'
import { checkUnique } from './checkUnique.ts'
import { checkUnused } from './checkUnused.ts'
import { listPage } from './listPage.ts'

/** Credentials sent by a form: a name, other visible fields, and secrets; null keeps the stored secret. */
type Draft = { name: string } & Readonly<Record<string, string | null>>

/** A table of credentials: its visible columns, its secret columns, and the rows that use it. All columns are text. */
export type Credentials<D extends Draft = Draft, Secret extends keyof D & string = string> = {
  table: keyof Tables
  /** The stream of a row, which is also the prefix of its secrets' places. */
  stream: (id: number) => StreamName
  /** Name of one row in messages, for example if it doesn't exist. */
  one: string
  shown: readonly Exclude<keyof D & string, Secret>[]
  /** Each with its name in messages. */
  secrets: Readonly<Record<Secret, string>>
  /** Names of the rows that use it and prevent its deletion. */
  usedBy: (trx: Trx, id: number) => Promise<{ name: string }[]>
}

/** A row of the list: no secrets, but whether one was stored with a key other than the server's current one. */
type CredentialsRow<D, Secret extends keyof D> = Omit<D, Secret> & { id: number; isPasswordLost: boolean }
type Config = Platform['config']

export function credentialTable<D extends Draft, Secret extends keyof D & string>(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  credentials: Credentials<D, Secret>,
) {
  const table = credentials as unknown as Credentials
  return {
    list: async (query: PageQuery) => {
      const { elements, ...page } = await listCredentials(db, config, table, query)
      return { ...page, elements: elements as unknown as CredentialsRow<D, Secret>[] }
    },
    create: (change: Change, draft: D) => createCredentials(change, config, table, draft),
    update: (change: Change, id: number, draft: D) => updateCredentials(change, config, table, id, draft),
    remove: (change: Change, id: number) => removeCredentials(change, table, id),
  }
}

/** Opens a secret; throws 409 with the name of the credentials if this server's key doesn't open it. */
export const openCredential = <D extends Draft, Secret extends keyof D & string>(
  config: Config,
  { stream, secrets }: Credentials<D, Secret>,
  { id, name, secret, sealed }: { id: number; name: string; secret: Secret; sealed: string },
): Promise<string> => {
  const called = `The ${secrets[secret]} of the credentials ${name}`
  return openSecret(config, { name: placeOf(stream(id), secret), called }, sealed)
}

const placeOf = (stream: StreamName, secret: string): string => `${stream}.${secret}`

/** A row whose columns are unknown to the compiler: they differ between kinds of credentials. */
type Row = Record<string, string | number>
const anyTable = (db: Db | Trx) => db as unknown as Kysely<Record<string, Row>>

/** Sorted by name by default. */
function listCredentials(db: Db, config: Config, { table, shown, secrets }: Credentials, query: PageQuery) {
  const columns = ['id', ...shown]
  const sealed = Object.keys(secrets)
  const rows = anyTable(db)
    .selectFrom(table)
    .select([...columns, ...sealed])
  return listPage(db, rows, query, { sortable: ['id', 'name'], sort: 'name' }, async (row: Row) => {
    const stored = sealed.map((secret) => String(row[secret])).filter((text) => text !== '')
    const isLost = await Promise.all(stored.map((text) => isOfAnotherKey(config, text)))
    const known: Row = Object.fromEntries(columns.map((column) => [column, row[column] ?? '']))
    return { ...known, isPasswordLost: isLost.includes(true) }
  })
}

/** Adds credentials and returns their id. Throws 400 for a duplicate name or a missing secret. */
async function createCredentials({ trx, record }: Change, config: Config, credentials: Credentials, draft: Draft) {
  const { table, secrets, stream } = credentials
  const missing = Object.keys(secrets).find((secret) => draft[secret] === null)
  if (missing !== undefined) invalid(missing, 'is required')
  await checkName(trx, credentials, draft.name)
  // A secret opens only at its own place, whose name contains the row's number.
  const row = { ...shownOf(credentials, draft), ...forSecrets(credentials, () => '') }
  const made = await anyTable(trx).insertInto(table).values(row).returning('id').executeTakeFirstOrThrow()
  const id = Number(made['id'])
  const sealed = await sealedOf(config, credentials, id, draft)
  await anyTable(trx).updateTable(table).set(sealed).where('id', '=', id).execute()
  await record(stream(id), { after: audited(credentials, draft) })
  return id
}

/** Changes credentials; a null secret stays unchanged. Throws 400 for a duplicate name. */
async function updateCredentials(
  { trx, record }: Change,
  config: Config,
  credentials: Credentials,
  id: number,
  draft: Draft,
): Promise<void> {
  const { table, stream } = credentials
  const before = await lockCredentials(trx, credentials, id)
  await checkName(trx, credentials, draft.name, id)
  const changed = { ...shownOf(credentials, draft), ...(await sealedOf(config, credentials, id, draft)) }
  await anyTable(trx).updateTable(table).set(changed).where('id', '=', id).execute()
  const changes = forSecrets(credentials, (secret) => (draft[secret] === null ? '(set)' : '(changed)'))
  await record(stream(id), {
    before: audited(credentials, before),
    after: { ...audited(credentials, draft), ...changes },
  })
}

/** Deletes unused credentials; throws 409 with the names of users otherwise. */
async function removeCredentials({ trx, record }: Change, credentials: Credentials, id: number): Promise<void> {
  const before = await lockCredentials(trx, credentials, id)
  await checkUnused(
    credentials.usedBy(trx, id),
    (names) => `Credentials ${before.name} are used by ${names}. Assign other credentials to each first.`,
  )
  await anyTable(trx).deleteFrom(credentials.table).where('id', '=', id).execute()
  await record(credentials.stream(id), { before: audited(credentials, before) })
}

/**
 * Returns the visible fields of a row and locks it, so no one changes or starts to use it until the transaction ends.
 */
async function lockCredentials(trx: Trx, { table, shown, one }: Credentials, id: number): Promise<Draft> {
  const row = anyTable(trx)
    .selectFrom(table)
    .select([...shown])
    .where('id', '=', id)
    .forUpdate()
  return ((await row.executeTakeFirst()) as Draft | undefined) ?? notFound(one, id)
}

const checkName = (trx: Trx, { table }: Credentials, value: string, own?: number): Promise<void> =>
  checkUnique(trx.selectFrom(table as 'networkCredentials'), { value, own, message: 'must be unique' })

const shownOf = ({ shown }: Credentials, draft: Draft): Row =>
  Object.fromEntries(shown.map((column) => [column, draft[column] ?? '']))

const forSecrets = ({ secrets }: Credentials, word: (secret: string) => string): Row =>
  Object.fromEntries(Object.keys(secrets).map((secret) => [secret, word(secret)]))

/** The record for the event log: of secrets only whether they are set. */
const audited = (credentials: Credentials, draft: Draft): Row => ({
  ...shownOf(credentials, draft),
  ...forSecrets(credentials, () => '(set)'),
})

/** The secrets of a draft, encrypted; an empty one means that there is none. */
async function sealedOf(config: Config, { secrets, stream }: Credentials, id: number, draft: Draft): Promise<Row> {
  const sealed: Row = {}
  for (const secret of Object.keys(secrets)) {
    const text = draft[secret]
    if (typeof text !== 'string') continue
    sealed[secret] = text && (await sealSecret(config, placeOf(stream(id), secret), text))
  }
  return sealed
}
