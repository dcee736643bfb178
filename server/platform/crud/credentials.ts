import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import type { StreamName } from '#events/streams.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { anyTable, type Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { isOfAnotherKey, openSecret, sealSecret } from '#server/platform/secrets.ts'
import { enterAgain, isElsewhere, noteEntered, type SharedCredentials } from './boundSecrets.ts'
import { checkUnique } from './checkUnique.ts'
import { checkUnused } from './checkUnused.ts'
import { listPage, textOrder } from './listPage.ts'

/** Credentials of a form. A secret of null keeps the stored one. */
type Draft = { name: string } & Readonly<Record<string, string | null>>

/** A table of credentials with its visible and secret columns, all of which hold text. */
export type Credentials<D extends Draft = Draft, Secret extends keyof D & string = string> = {
  table: keyof Tables
  /** The event stream of a row. The encrypted secrets are bound to it. */
  stream: (id: number) => StreamName
  /** Noun in the 404 error of a missing row. */
  one: string
  shown: readonly Exclude<keyof D & string, Secret>[]
  /** Secrets with their names on screens. */
  secrets: Readonly<Record<Secret, string>>
  /** The address that the secrets are sent to, if the row has it: see `boundSecrets.ts`. */
  addressOf(row: Omit<D, Secret>): string
  /** The hosts are in the storages that use a row. */
  areForHosts?: true
  /** Names of the users of a row. While any exist, the row can't be removed. */
  usedBy: (trx: Trx, id: number) => Promise<{ name: string }[]>
}

/** Credentials of any kind. */
type AnyCredentials = Omit<Credentials, 'shown'> & { shown: readonly string[] }

/** A row of the list: no secrets, but whether one was stored with a key other than the server's current one. */
type CredentialsRow<D, Secret extends keyof D> = Omit<D, Secret> & { id: number; isPasswordLost: boolean }
type Config = Platform['config']

/** The four functions behind a table of credentials, for `crudRoutes`, and `one`, which returns a row or throws 404. */
export function credentialTable<D extends Draft, Secret extends keyof D & string>(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  credentials: Credentials<D, Secret>,
) {
  const table: AnyCredentials = credentials
  return {
    list: async (query: PageQuery) => {
      const { elements, ...page } = await listCredentials(db, config, table, query)
      return { ...page, elements: elements as unknown as CredentialsRow<D, Secret>[] }
    },
    one: async (id: number) => (await findCredentials(db, config, table, id)) as unknown as CredentialsRow<D, Secret>,
    create: (change: Change, draft: D) => createCredentials(change, config, table, draft),
    update: (change: Change, id: number, draft: D) => updateCredentials(change, config, table, id, draft),
    remove: (change: Change, id: number) => removeCredentials(change, table, id),
  }
}

/** Decrypts a secret. Throws 409 with the name of the credentials if it was stored with a different server key. */
export const openCredential = <D extends Draft, Secret extends keyof D & string>(
  config: Config,
  { stream, secrets }: Credentials<D, Secret>,
  { id, name, secret, sealed }: { id: number; name: string; secret: Secret; sealed: string },
): Promise<string> => {
  const called = `The ${secrets[secret]} of the credentials ${name}`
  return openSecret(config, { name: placeOf(stream(id), secret), called }, sealed)
}

const placeOf = (stream: StreamName, secret: string): string => `${stream}.${secret}`

/** The table, whose columns the compiler does not know: they differ between the kinds of credentials. */
type Row = Record<string, string | number>
const tableOf = anyTable<Row>

const selectShown = (db: Db, { table, shown, secrets }: AnyCredentials) =>
  tableOf(db)
    .selectFrom(table)
    .select(['id', ...shown, ...Object.keys(secrets)])

const sortable = { id: sql`id`, name: textOrder('name') }

/** Sorted by name by default. */
const listCredentials = (db: Db, config: Config, credentials: AnyCredentials, query: PageQuery) =>
  listPage(db, selectShown(db, credentials), query, { sortable, sort: 'name' }, (row: Row) =>
    withoutSecrets(config, credentials, row),
  )

async function findCredentials(db: Db, config: Config, credentials: AnyCredentials, id: number): Promise<object> {
  const row = await selectShown(db, credentials).where('id', '=', id).executeTakeFirst()
  return row ? withoutSecrets(config, credentials, row) : notFound(credentials.one, id)
}

async function withoutSecrets(config: Config, { shown, secrets }: AnyCredentials, row: Row) {
  const stored = Object.keys(secrets)
    .map((secret) => String(row[secret]))
    .filter((text) => text !== '')
  const isLost = await Promise.all(stored.map((text) => isOfAnotherKey(config, text)))
  const known: Row = Object.fromEntries(['id', ...shown].map((column) => [column, row[column] ?? '']))
  return { ...known, isPasswordLost: isLost.includes(true) }
}

/** Adds credentials and returns their id. Throws 400 for a name that is taken, and without a secret. */
async function createCredentials({ trx, record }: Change, config: Config, credentials: AnyCredentials, draft: Draft) {
  const { table, secrets, stream } = credentials
  const missing = Object.keys(secrets).find((secret) => draft[secret] === null)
  if (missing !== undefined) invalid(missing, 'is required')
  await checkName(trx, credentials, draft.name)
  // A secret opens at its own place only, which has a name when the row has a number.
  const row = { ...shownOf(credentials, draft), ...forSecrets(credentials, () => '') }
  const made = await tableOf(trx).insertInto(table).values(row).returning('id').executeTakeFirstOrThrow()
  const id = Number(made['id'])
  const sealed = await sealedOf(config, credentials, id, draft)
  await tableOf(trx).updateTable(table).set(sealed).where('id', '=', id).execute()
  await record(stream(id), { after: audited(credentials, draft) })
  return id
}

/** Changes credentials; a secret that is null stays. Throws 400 for a name that is taken. */
async function updateCredentials(
  { trx, record }: Change,
  config: Config,
  credentials: AnyCredentials,
  id: number,
  draft: Draft,
): Promise<void> {
  const { table, stream } = credentials
  const before = await lockCredentials(trx, credentials, id)
  await checkName(trx, credentials, draft.name, id)
  await bindSecrets(trx, credentials, { id, before, draft })
  const changed = { ...shownOf(credentials, draft), ...(await sealedOf(config, credentials, id, draft)) }
  await tableOf(trx).updateTable(table).set(changed).where('id', '=', id).execute()
  const changes = forSecrets(credentials, (secret) => (draft[secret] === null ? '(set)' : '(changed)'))
  await record(stream(id), {
    before: audited(credentials, before),
    after: { ...audited(credentials, draft), ...changes },
  })
}

/** Throws 400 for a stored secret that would stay although its address changes. Entered ones may go to new hosts. */
async function bindSecrets(trx: Trx, credentials: AnyCredentials, row: { id: number; before: Draft; draft: Draft }) {
  const { table, secrets, addressOf, areForHosts } = credentials
  const { id, before, draft } = row
  const names = Object.keys(secrets)
  const stored = await tableOf(trx).selectFrom(table).select(names).where('id', '=', id).executeTakeFirstOrThrow()
  const kept = names.find((secret) => draft[secret] === null && stored[secret] !== '')
  const isMoved = isElsewhere({ address: addressOf(before) }, { address: addressOf(draft) })
  if (kept !== undefined && isMoved) invalid(kept, enterAgain)
  if (areForHosts && names.some((secret) => draft[secret] !== null))
    await noteEntered(trx, table as SharedCredentials, id)
}

/** Deletes credentials that nothing uses; throws 409 with what does. */
async function removeCredentials({ trx, record }: Change, credentials: AnyCredentials, id: number): Promise<void> {
  const before = await lockCredentials(trx, credentials, id)
  await checkUnused(
    credentials.usedBy(trx, id),
    (names) => `Credentials ${before.name} are used by ${names}. Assign other credentials to each first.`,
  )
  await tableOf(trx).deleteFrom(credentials.table).where('id', '=', id).execute()
  await record(credentials.stream(id), { before: audited(credentials, before) })
}

/**
 * Reads the visible columns of a row, and locks it: until the end of the transaction, others can neither change nor use
 * it.
 */
async function lockCredentials(trx: Trx, { table, shown, one }: AnyCredentials, id: number): Promise<Draft> {
  const row = tableOf(trx)
    .selectFrom(table)
    .select([...shown])
    .where('id', '=', id)
    .forUpdate()
  return ((await row.executeTakeFirst()) as Draft | undefined) ?? notFound(one, id)
}

const checkName = (trx: Trx, { table }: AnyCredentials, value: string, own?: number): Promise<void> =>
  checkUnique(trx.selectFrom(table as 'networkCredentials'), { value, own, message: 'must be unique' })

const shownOf = ({ shown }: AnyCredentials, draft: Draft): Row =>
  Object.fromEntries(shown.map((column) => [column, draft[column] ?? '']))

const forSecrets = ({ secrets }: AnyCredentials, word: (secret: string) => string): Row =>
  Object.fromEntries(Object.keys(secrets).map((secret) => [secret, word(secret)]))

/** Values for the event log, where secrets show as set or not set. */
const audited = (credentials: AnyCredentials, draft: Draft): Row => ({
  ...shownOf(credentials, draft),
  ...forSecrets(credentials, (secret) => (draft[secret] === '' ? '(not set)' : '(set)')),
})

/** The secrets that a draft sets, encrypted for storage. An empty secret stays an empty text. */
async function sealedOf(config: Config, { secrets, stream }: AnyCredentials, id: number, draft: Draft): Promise<Row> {
  const sealed: Row = {}
  for (const secret of Object.keys(secrets)) {
    const text = draft[secret]
    if (typeof text !== 'string') continue
    sealed[secret] = text && (await sealSecret(config, placeOf(stream(id), secret), text))
  }
  return sealed
}
