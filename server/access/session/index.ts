export { beginSession } from './beginSession.ts'
export { type AdminPassword, ensureAdmin, signInText } from './ensureAdmin.ts'
export { sessionRoutes } from './routes.ts'
