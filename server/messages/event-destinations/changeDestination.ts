import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { Input } from '#events/contract/endpoint.ts'
import type { PageQuery } from '#events/contract/page.ts'
import {
  type DestinationDraft,
  type eventDestinations,
  type EventDestination,
  isSyslog,
  maxCountedBehind,
  syslogAddress,
} from '#events/event-log/destinations.ts'
import type { TestedDelivery } from '#events/notifications/channels.ts'
import { hiddenWebhook, hiddenWebhookRule, isHiddenWebhook } from '#events/notifications/webhooks.ts'
import { streamNames } from '#events/streams.ts'
import { newestPosition } from '#server/messages/event-log/index.ts'
import { refusedAddress, refusedHost, refuseInDemo, tested } from '#server/messages/notifications/index.ts'
import type { Config } from '#server/platform/config.ts'
import { enterAgain, isElsewhere } from '#server/platform/crud/boundSecrets.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { isOfAnotherKey } from '#server/platform/secrets.ts'
import {
  type Access,
  type DestinationRow,
  noBatch,
  ofTopics,
  openAccess,
  readSender,
  sealAccess,
} from './destinationRows.ts'
import { renderBatch, renderEvent } from './renderEvents.ts'
import { transmit } from './transmit.ts'

type Stores = Pick<Platform, 'db' | 'config'>
type Fields = Omit<DestinationDraft, 'isFromStart'>

/** Each may hold a connection to Postgres while it sends. */
const maxDestinations = 5

/** A page of the destinations, sorted by name by default. */
export const listDestinations = ({ db, config }: Stores, query: PageQuery) =>
  listPage(
    db,
    db.selectFrom('eventDestinations').selectAll(),
    query,
    { sortable: { name: textOrder('name') }, sort: 'name' },
    async (row): Promise<EventDestination> => {
      const {
        access,
        position,
        batch: _,
        batchKey: __,
        batchTo: ___,
        confirms: ____,
        maxEvents: _____,
        tries,
        ...shown
      } = row
      const { sentAt, nextTryAt } = row
      return {
        ...shown,
        isPasswordLost: await isOfAnotherKey(config, access),
        behind: await countBehind(db, row.topics, position),
        sentAt: sentAt?.toISOString() ?? null,
        nextTryAt: tries > 0 ? nextTryAt.toISOString() : null,
      }
    },
  )

async function countBehind(db: Db, topics: DestinationRow['topics'], position: number): Promise<number> {
  const waiting = db.selectFrom('events').select('position').where('position', '>', position).where(ofTopics(topics))
  const { count } = await db
    .selectFrom(waiting.limit(maxCountedBehind + 1).as('waiting'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Adds a destination and returns its ID. It receives events from now on, or all. */
export async function createDestination(
  config: Config,
  { trx, record }: Change,
  draft: DestinationDraft,
): Promise<number> {
  const { isFromStart, ...fields } = draft
  const others = await trx.selectFrom('eventDestinations').select('id').execute()
  if (others.length >= maxDestinations)
    invalid('name', `cannot be added: there are ${maxDestinations} destinations already`)
  const access = accessFor(fields)
  const row = {
    ...(await columnsOf(trx, fields, access)),
    position: isFromStart ? 0 : await newestPosition(trx),
    access: '',
  }
  const { id } = await trx.insertInto('eventDestinations').values(row).returning('id').executeTakeFirstOrThrow()
  await trx
    .updateTable('eventDestinations')
    .set({ access: await sealAccess(config, id, access) })
    .where('id', '=', id)
    .execute()
  await record(streamNames.eventDestination(id), { after: { ...audited(row), isFromStart } })
  return id
}

/** Changes a destination, which keeps its place in the log, and sends at once. A batch of another kind is made again. */
export async function updateDestination(
  config: Config,
  { trx, record }: Change,
  id: number,
  { isFromStart: _, ...draft }: DestinationDraft,
): Promise<void> {
  const before = (await rowOf(trx, id).forUpdate().executeTakeFirst()) ?? notFound('destination', id)
  const access = accessFor(draft, await knownAccess(config, before))
  const row = await columnsOf(trx, draft, access, id)
  const isSame = before.kind === row.kind && before.topics.join() === row.topics.join()
  await trx
    .updateTable('eventDestinations')
    .set({ ...row, access: await sealAccess(config, id, access) })
    .set({ tries: 0, error: null, nextTryAt: new Date(), confirms: false, lost: 0, lostReason: null })
    .$if(!isSame, (change) => change.set(noBatch))
    .where('id', '=', id)
    .execute()
  const secret = !draft.secret ? '(set)' : '(changed)'
  await record(streamNames.eventDestination(id), { before: audited(before), after: audited(row, secret) })
}

/** Deletes a destination. Events that it has not received are not sent. */
export async function removeDestination({ trx, record }: Change, id: number): Promise<void> {
  const before = (await rowOf(trx, id).forUpdate().executeTakeFirst()) ?? notFound('destination', id)
  await trx.deleteFrom('eventDestinations').where('id', '=', id).execute()
  await record(streamNames.eventDestination(id), { before: audited(before) })
}

/** Skips all events that destinations have not received, and counts them as lost. */
export async function skipWaitingEvents(trx: Trx, lostReason: string): Promise<void> {
  const position = await newestPosition(trx)
  for (const row of await trx.selectFrom('eventDestinations').selectAll().execute()) {
    const waiting = trx.selectFrom('events').where('position', '>', row.position).where(ofTopics(row.topics))
    const { count } = await waiting.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    await trx
      .updateTable('eventDestinations')
      .set({ position, ...noBatch, tries: 0, error: null })
      .$if(Number(count) > 0, (change) => change.set({ lost: row.lost + Number(count), lostReason }))
      .where('id', '=', row.id)
      .execute()
  }
}

const rowOf = (db: Db | Trx, id: number) => db.selectFrom('eventDestinations').selectAll().where('id', '=', id)

/** The stored URL and secret; undefined if they were sealed with another key, and for syslog, which has nothing to keep. */
const knownAccess = async (config: Config, row: DestinationRow): Promise<Access | undefined> =>
  isSyslog(row.kind) || (await isOfAnotherKey(config, row.access)) ? undefined : openAccess(config, row)

/** The entered address and secret, or the stored ones, which go to no other address. */
function accessFor({ kind, address: entered, header, secret }: Fields, known?: Access): Access {
  const isKept = known !== undefined && isHiddenWebhook(entered) && hiddenWebhook(known.address) === entered
  const address = isKept ? known.address : entered
  checkAddress(kind, address)
  if (isSyslog(kind) || header === null) return { address, secret: null }
  if (secret) return { address, secret }
  if (!known?.secret) invalid('secret', 'is required for the header')
  if (isElsewhere({ address: known.address }, { address })) invalid('secret', enterAgain)
  return { address, secret: known.secret }
}

/** Throws 400 for an address that is hidden or blocked; host names are checked when something is sent. */
function checkAddress(kind: Fields['kind'], address: string): void {
  if (isHiddenWebhook(address)) invalid('address', hiddenWebhookRule)
  const host = syslogAddress(address)?.host ?? ''
  const ofSyslog = isIP(host) ? refusedAddress(host, ['ROLE_ADMIN']) : undefined
  const refused = isSyslog(kind) ? ofSyslog : refusedHost(address, ['ROLE_ADMIN'])
  if (refused) invalid('address', refused)
}

async function columnsOf(trx: Trx, draft: Fields, { address }: Access, own?: number) {
  const { name, kind, topics, authority, header } = draft
  await checkUnique(trx.selectFrom('eventDestinations'), { value: name, own, message: 'must be unique' })
  const isOfHttp = !isSyslog(kind)
  return {
    name,
    kind,
    topics,
    address: isOfHttp ? hiddenWebhook(address) : address,
    authority: kind === 'SYSLOG_UDP' ? null : authority,
    header: isOfHttp ? header : null,
  }
}

type Columns = Pick<DestinationRow, 'name' | 'kind' | 'topics' | 'address' | 'authority' | 'header'>

/** The record for the event log, without the secret and the path of the address. */
const audited = ({ name, kind, topics, address, authority, header }: Columns, secret = '(set)') => ({
  name,
  kind,
  topics,
  address,
  authority,
  ...(header !== null && { header, secret }),
})

/** Sends a test event to a destination as entered, with the stored address and secret of `id` where they were not entered again. */
export async function testDestination(
  { db, config }: Stores,
  { id, ...draft }: Input<typeof eventDestinations.test>['body'],
): Promise<TestedDelivery> {
  refuseInDemo(config)
  const stored = id === undefined ? undefined : await rowOf(db, id).executeTakeFirst()
  const access = accessFor(draft, stored && (await knownAccess(config, stored)))
  const sender = await readSender(db)
  const at = new Date().toISOString()
  const data = { type: 'DestinationTested', at }
  const event = { ...data, position: 0, stream: 'test', version: 1, actor: 'system', address: null, data }
  const body = renderBatch(draft.kind, [renderEvent(draft.kind, event, sender)], sender)
  const sending = transmit(config, { ...draft, ...access }, { key: `test-${randomUUID()}`, body })
  return tested(
    draft.name,
    sending.then(({ refused, reason }) => {
      if (refused > 0) throw new Error(`The receiver refused it: ${reason}`)
    }),
  )
}
