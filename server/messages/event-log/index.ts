export { asLogged, newestPosition, selectReadableEvents } from './listEvents.ts'
export { eventLogRoutes } from './routes.ts'
export { type EventLimit, statesAt } from './statesAt.ts'
