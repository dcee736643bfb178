import { inParallel } from '../inParallel.ts'
import { TooLong } from '#events/node/jsonMeter.ts'
import type { ArchiwareConnection } from '#events/sources/archiwares.ts'
import { maxNames } from '#events/sources/archiwareQuestion.ts'
import type { TransportOptions } from '../http/transport.ts'
import { type CallOptions, type Client, newClient } from './client.ts'
import { NotFound } from './failures.ts'
import { segmentOf } from './names.ts'
import { isSet, propertyOf, textOf } from './unconfirmed.ts'

/** Detail calls at once. */
const detailsAtOnce = 4
/** Objects of a list. Most are described in calls of their own. */
const maxItems = maxNames

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Objects of a list of P5, which is the one property of its answer. Throws `TooLong` for more than `max`. */
export const readList =
  (name: string, max = maxItems) =>
  (body: unknown): object[] | undefined => {
    const list = isObject(body) && name in body ? (body as Record<string, unknown>)[name] : undefined
    if (!Array.isArray(list)) return undefined
    if (list.length > max) throw new TooLong(`More than ${max.toLocaleString('en')} ${name}`)
    return list.filter(isObject)
  }

export const readObject = (body: unknown): object | undefined =>
  isObject(body) && !Array.isArray(body) ? body : undefined

export async function listIndexes(client: Client, signal: AbortSignal): Promise<string[]> {
  return idsOf(await client.call('GET', 'archive/indexes', { read: readList('indexes'), signal }))
}

/** IDs of the members of a list. */
export const idsOf = (list: object[]): string[] =>
  list.map((each) => textOf(propertyOf(each, 'id'))).filter((id) => id !== '')

/** Names of the archive indexes of a P5 server, in order. Errors have a `debugMessage`: P5's own text. */
export const namesOfIndexes = (
  connection: ArchiwareConnection,
  signal: AbortSignal,
  transport: TransportOptions = {},
): Promise<string[]> => withClient(connection, transport, async (client) => (await listIndexes(client, signal)).sort())

/** Archive plans of a P5 server by name. `storage` is the pool that a plan writes to. Fails as `namesOfIndexes` does. */
export const plansOf = (connection: ArchiwareConnection, signal: AbortSignal, transport: TransportOptions = {}) =>
  withClient(connection, transport, async (client) => {
    const ids = idsOf(await client.call('GET', 'archive/plans', { read: readList('plans'), signal }))
    const details = await detailsOf(ids, signal, (id, options) =>
      client.call('GET', `archive/plans/${segmentOf(id)}`, options),
    )
    const plans = details.map(({ id, detail }) => ({
      planId: id,
      planName: textOf(propertyOf(detail, 'description')) || id,
      index: textOf(propertyOf(detail, 'database')),
      deleteFiles: isSet(propertyOf(detail, 'deletefiles')),
      deleteAll: isSet(propertyOf(detail, 'deleteall')),
      storage: textOf(propertyOf(detail, 'pool')),
    }))
    return plans.sort((a, b) => (a.planName < b.planName ? -1 : 1))
  })

/** Clients of a P5 server by name: the machines that it archives from and restores to. Fails as `namesOfIndexes` does. */
export const clientsOf = (connection: ArchiwareConnection, signal: AbortSignal, transport: TransportOptions = {}) =>
  withClient(connection, transport, async (client) => {
    const names = idsOf(await client.general('clients', { read: readList('clients'), signal })).sort()
    const details = await detailsOf(names, signal, (name, options) =>
      client.general(`clients/${segmentOf(name)}`, options),
    )
    return details.map(({ id, detail }) => ({ clientName: id, hostname: textOf(propertyOf(detail, 'hostname')) }))
  })

async function withClient<T>(
  connection: ArchiwareConnection,
  transport: TransportOptions,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = newClient(connection, transport)
  try {
    return await use(client)
  } finally {
    client.close()
  }
}

type GetDetail = (id: string, options: CallOptions<object>) => Promise<object>

/** Details of the members of a list, in its order. A member that was removed after it was listed is left out. */
async function detailsOf(
  ids: string[],
  signal: AbortSignal,
  get: GetDetail,
): Promise<{ id: string; detail: object }[]> {
  const details = new Map<string, object>()
  await inParallel(ids, detailsAtOnce, async (id) => {
    try {
      details.set(id, await get(id, { read: readObject, signal }))
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
    }
  })
  return ids.flatMap((id) => {
    const detail = details.get(id)
    return detail ? [{ id, detail }] : []
  })
}
