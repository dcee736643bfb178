import { hostname } from 'node:os'
import { type Selectable, sql } from 'kysely'
import { type EventTopic, streamsOf } from '#events/event-log/destinations.ts'
import { streamNames } from '#events/streams.ts'
import { configured } from '#server/access/configurations/index.ts'
import type { Config } from '#server/platform/config.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { openSecret, sealSecret } from '#server/platform/secrets.ts'
import type { Sender } from './renderEvents.ts'

export type DestinationRow = Selectable<Tables['eventDestinations']>

/** Columns of a destination whose next batch is made from the log. */
export const noBatch = { batch: null, batchKey: null, batchTo: null }

/** The whole address, which is often as good as a password, and the value of the header. */
export type Access = { address: string; secret: string | null }

const placeOf = (id: number) => `${streamNames.eventDestination(id)}.access`

export const sealAccess = (config: Config, id: number, access: Access): Promise<string> =>
  sealSecret(config, placeOf(id), JSON.stringify(access))

/** Throws 409, with a message for users, if this server's key doesn't open it. */
export async function openAccess(config: Config, row: Pick<DestinationRow, 'id' | 'name' | 'access'>): Promise<Access> {
  const place = { name: placeOf(row.id), called: `The address of the destination ${row.name}` }
  return JSON.parse(await openSecret(config, place, row.access)) as Access
}

/** Condition: an event is of one of the topics. */
export const ofTopics = (topics: readonly EventTopic[]) => sql<boolean>`stream LIKE ANY (${streamsOf(topics)}::text[])`

/** The host of the Application URL, or this machine's, and the product's ID. */
export async function readSender(db: Db): Promise<Sender> {
  const host = URL.parse(await configured(db, 'app.url'))?.hostname || hostname()
  return { host, product: await readProductId(db) }
}
