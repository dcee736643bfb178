import { z } from 'zod'

/**
 * Topics of the server's `changed` event. A screen names the topics that it reads (`useRemote`) and reads again when
 * one changes; a change of settings names the topics that it affects (`change` in the server).
 */
export const changeTopics = [
  'agents',
  'apiTokens',
  'archiwareCredentials',
  'archiwareMappings',
  'bucketCredentials',
  'channels',
  'configurations',
  'contents',
  'dashboard',
  'eventDestinations',
  'health',
  'imports',
  'jobs',
  'limits',
  'live',
  'media',
  'metrics',
  'networkCredentials',
  'notifications',
  'policies',
  'powerScaleCredentials',
  'priceBooks',
  'projects',
  'reports',
  'savedSearches',
  'schedules',
  'sessions',
  'snapshots',
  'sodaMappings',
  'sources',
  'storNextCredentials',
  'storNextMappings',
  'tags',
  'users',
  'volumes',
  'wallTokens',
] as const
export const ChangeTopic = z.enum(changeTopics)
export type ChangeTopic = z.infer<typeof ChangeTopic>
