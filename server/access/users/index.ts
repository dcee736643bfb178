export { userRoutes } from './routes.ts'
export { isNameTaken } from './accountNames.ts'
export { type AuditedUser, lockUser, sortRoles } from './userRow.ts'
