export { mountOf } from './mountOf.ts'
export { networkVolumeRoutes } from './routes.ts'
