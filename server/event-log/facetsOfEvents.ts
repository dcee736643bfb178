import type { Answer } from '#events/endpoint.ts'
import type { eventLog } from '#events/event-log.ts'
import type { Db } from '#server/platform/postgres.ts'

/** More actors than a list can be chosen from are found by typing. */
const mostActors = 200

/** The types and actors that there are, most frequent first. */
export async function facetsOfEvents(db: Db): Promise<Answer<typeof eventLog.facets>> {
  const [types, actors] = await Promise.all([countBy(db, 'type', 1_000), countBy(db, 'actor', mostActors)])
  return {
    types: types.map(({ value, events }) => ({ type: value, events })),
    actors: actors.map(({ value, events }) => ({ actor: value, events })),
  }
}

const countBy = (db: Db, column: 'type' | 'actor', most: number) =>
  db
    .selectFrom('events')
    .select(({ ref, fn }) => [ref(column).as('value'), fn.countAll<number>().as('events')])
    .groupBy(column)
    .orderBy('events', 'desc')
    .orderBy('value')
    .limit(most)
    .execute()
