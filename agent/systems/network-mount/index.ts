export { type Mounts, openMounts } from './mounts.ts'
export type { Share } from './openShare.ts'
