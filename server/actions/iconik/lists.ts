import {
  IconikAnswer,
  type IconikCollection,
  iconikCollections,
  type IconikConnection,
  type IconikQuestion,
  type IconikStorage,
  iconikStorages,
} from '#events/actions/iconik.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { askAllowedAgents } from '../askAllowedAgents.ts'
import { readIconikConfig } from './readIconikConfig.ts'

type Services = Pick<Platform, 'db' | 'config' | 'nats'>

export const listCollections = async (platform: Services): Promise<IconikCollection[]> =>
  (await askFor(platform, 'collections', iconikCollections.failure)).collections

export const listStorages = async (platform: Services): Promise<IconikStorage[]> =>
  (await askFor(platform, 'storages', iconikStorages.failure)).storages

async function askFor(platform: Services, list: IconikQuestion['list'], title: string): Promise<IconikAnswer> {
  const question: IconikQuestion = { connection: await iconikConnection(platform), list }
  return askAllowedAgents(platform, {
    allowed: 'iconikAgents',
    subject: subjects.iconik,
    question,
    answer: IconikAnswer,
    title,
    code: 'iconik',
  })
}

/** The Iconik deployment and its application. Throws 409 if it is not configured. */
export const iconikConnection = async (platform: Pick<Platform, 'db' | 'config'>): Promise<IconikConnection> =>
  (await readIconikConfig(platform)) ??
  conflict(
    'Iconik is not configured. Set the Application ID and the Application Token in Settings > Data > Iconik Integration.',
    'not-configured',
  )
