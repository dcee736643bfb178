export { configured, configuredNumber } from './configured.ts'
export { mailServer } from './mailServer.ts'
export { configurationRoutes } from './routes.ts'
