import { z } from 'zod'

/**
 * What the server's `changed` may name. Who shows one of these reads it again; a screen names the topics of what it reads
 * (`useRemote`), a change of settings those that it reaches (`change` of the server).
 */
export const changeTopics = [
  'agents',
  'apiTokens',
  'archiwareCredentials',
  'archiwareMappings',
  'bucketCredentials',
  'configurations',
  'dashboard',
  'health',
  'jobs',
  'networkCredentials',
  'notifications',
  'powerScaleCredentials',
  'priceBooks',
  'projects',
  'reports',
  'savedSearches',
  'schedules',
  'sessions',
  'snapshots',
  'sources',
  'tags',
  'users',
  'volumes',
  'wallTokens',
] as const
export const ChangeTopic = z.enum(changeTopics)
export type ChangeTopic = z.infer<typeof ChangeTopic>
