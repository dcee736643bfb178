import { eventLog } from '#events/event-log/calls.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { densityOfEvents } from './countEvents.ts'
import { exportEvents } from './listEvents.ts'
import { facetsOfEvents } from './countEvents.ts'
import { findEvent, listEvents } from './listEvents.ts'

/** The paths with a word are before the one with a position, so a word is not parsed as a position. */
export const eventLogRoutes = ({ db }: Platform) => [
  route(eventLog.list, ({ query }) => listEvents(db, query)),
  route(eventLog.density, ({ query }) => densityOfEvents(db, query)),
  route(eventLog.facets, () => facetsOfEvents(db)),
  route(eventLog.export, ({ query }) => exportEvents(db, query)),
  route(
    eventLog.one,
    async ({ params }) => (await findEvent(db, params.position)) ?? notFound('event', params.position),
  ),
]
