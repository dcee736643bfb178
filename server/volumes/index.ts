export { createVolume } from './changeVolume.ts'
export { findVolume, listVolumes } from './listVolumes.ts'
export { volumeRoutes } from './routes.ts'
export { ruleRoutes } from './ruleRoutes.ts'
