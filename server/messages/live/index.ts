export { publishLive } from './publishLive.ts'
export { startLive } from './startLive.ts'
