export { healthSwitch } from './healthSwitch.ts'
export { configured, configuredNumber, configuredSecret, configuredValues } from './configured.ts'
export { mailServer } from './mailServer.ts'
export { configurationRoutes } from './routes.ts'
