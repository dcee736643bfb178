export { asLogged, newestPosition, selectEvents, selectReadableEvents } from './listEvents.ts'
export { eventLogRoutes } from './routes.ts'
export { type StateAt, type EventLimit, statesAt } from './statesAt.ts'
