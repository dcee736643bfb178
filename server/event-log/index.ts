export { asLogged, newestPosition, selectEvents, selectReadableEvents } from './listEvents.ts'
export { eventLogRoutes } from './routes.ts'
export { type StateAt, type Until, statesAt } from './statesAt.ts'
