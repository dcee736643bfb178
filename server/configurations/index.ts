export { configured, configuredNumber } from './configured.ts'
