import {
  IconikAnswer,
  iconikCollections,
  type IconikConnection,
  type IconikQuestion,
  iconikStorages,
} from '#events/actions/iconik.ts'
import { subjects } from '#events/subjects.ts'
import { configuredSecret, configuredValues } from '#server/access/configurations/index.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { askAllowedAgents } from '../kit/askAllowedAgents.ts'

/** The lists of the upload wizard. */
export const iconikRoutes = (platform: Platform) => [
  route(iconikCollections, async () => (await ask(platform, 'collections', iconikCollections.failure)).collections),
  route(iconikStorages, async () => (await ask(platform, 'storages', iconikStorages.failure)).storages),
]

const ask = async (platform: Platform, list: IconikQuestion['list'], title: string): Promise<IconikAnswer> =>
  askAllowedAgents(platform, {
    allowed: 'iconikAgents',
    subject: subjects.iconik,
    question: { connection: await iconikConnection(platform), list } satisfies IconikQuestion,
    answer: IconikAnswer,
    title,
    code: 'iconik',
  })

type Services = Pick<Platform, 'db' | 'config'>

/**
 * The Iconik deployment with the application's token, which goes to an agent and nowhere else. Undefined if the application ID
 * or the token is not set. Throws 409 if the token was encrypted with a different server key.
 */
export async function readIconikConfig(platform: Services): Promise<IconikConnection | undefined> {
  const { iconikUrl, iconikAppId: appId } = await configuredValues(platform.db, 'iconikUrl', 'iconikAppId')
  const token = await configuredSecret(platform, 'iconik.authtoken')
  const url = (iconikUrl || platform.config.iconikUrl).replace(/\/+$/, '')
  return appId && token ? { url, appId, token } : undefined
}

/** Same as `readIconikConfig`; throws 409 if Iconik is not configured. */
export const iconikConnection = async (platform: Services): Promise<IconikConnection> =>
  (await readIconikConfig(platform)) ??
  conflict(
    'Iconik is not configured. Set the Application ID and the Application Token in Settings > Data > Iconik Integration.',
    'not-configured',
  )
