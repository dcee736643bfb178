export { userRoutes } from './routes.ts'
export { type AuditedUser, isNameTaken, lockUser, sortRoles } from './userRow.ts'
