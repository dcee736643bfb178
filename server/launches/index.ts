export { launch } from './launch.ts'
export { launchRoutes } from './routes.ts'
