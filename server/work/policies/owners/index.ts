import { ownerFiles } from '#events/policies/ownerFiles.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { answerOwnerFiles, listOwnerFiles } from './ownerFiles.ts'

export { answersOf, endOfLinks } from './answers.ts'
export { askOwners } from './askOwners.ts'
export { startTaggingAnswered } from './tagAnswered.ts'

export const ownerFileRoutes = (platform: Pick<Platform, 'db' | 'clickhouse' | 'live'>) => [
  route(ownerFiles.list, ({ params, query }, by) => listOwnerFiles(platform, params.token, query, by)),
  route(ownerFiles.answer, ({ params, body }, by) => answerOwnerFiles(platform, params.token, body, by)),
]
