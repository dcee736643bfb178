export { beginSession } from './beginSession.ts'
export { ensureAdmin } from './ensureAdmin.ts'
export { sessionRoutes } from './routes.ts'
