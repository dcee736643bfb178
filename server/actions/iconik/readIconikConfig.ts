import type { IconikConnection } from '#events/actions/iconik.ts'
import { configuredSecret, configuredValues } from '#server/configurations/index.ts'
import type { Platform } from '#server/platform/platform.ts'

/**
 * The Iconik deployment with the application's token, which goes to an agent and nowhere else. Undefined if the application ID
 * or the token is not set. Throws 409 if the token was encrypted with a different server key.
 */
export async function readIconikConfig(
  platform: Pick<Platform, 'db' | 'config'>,
): Promise<IconikConnection | undefined> {
  const { iconikUrl, iconikAppId: appId } = await configuredValues(platform.db, 'iconikUrl', 'iconikAppId')
  const token = await configuredSecret(platform, 'iconik.authtoken')
  const url = (iconikUrl || platform.config.iconikUrl).replace(/\/+$/, '')
  return appId && token ? { url, appId, token } : undefined
}
