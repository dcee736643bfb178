import { eventDestinations } from '#events/event-log/destinations.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import {
  createDestination,
  listDestinations,
  removeDestination,
  testDestination,
  updateDestination,
} from './changeDestination.ts'

export { skipWaitingEvents } from './changeDestination.ts'
export { destinationProblems, startSendingEvents } from './sendEvents.ts'

export const destinationRoutes = (platform: Platform) => [
  ...crudRoutes(platform, eventDestinations, {
    topics: ['eventDestinations'],
    list: (query) => listDestinations(platform, query),
    create: (change, draft) => createDestination(platform.config, change, draft),
    update: (change, id, draft) => updateDestination(platform.config, change, id, draft),
    remove: (change, id) => removeDestination(change, id),
  }),
  route(eventDestinations.test, ({ body }) => testDestination(platform, body)),
]
