export { filesBefore } from './filesBefore.ts'
export { storageRoutes } from './routes.ts'
