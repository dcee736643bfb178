export { dropStaging, newStaging } from './staging.ts'
export { tagVolume } from './tagVolume.ts'

export { queueTaggingIn } from './queueTagResults.ts'
export { tagRoutes } from './routes.ts'
export { tagTasks } from './tagResults.ts'
