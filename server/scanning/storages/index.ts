export { filesBefore } from './filesBefore.ts'
export { listStorages } from './listStorages.ts'
export { storageRoutes } from './routes.ts'
