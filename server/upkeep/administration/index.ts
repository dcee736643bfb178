export { administrationRoutes } from './routes.ts'
export { type Restart, restartOnce } from './restart.ts'
