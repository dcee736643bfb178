import type { IconikConnection } from '#events/actions/iconik.ts'
import { configured, configuredSecret } from '#server/configurations/index.ts'
import type { Platform } from '#server/platform/platform.ts'

/**
 * The Iconik deployment with the application's token, which goes to an agent and nowhere else. Undefined if the application ID
 * or the token is not set. Throws 409 if the token was encrypted with a different server key.
 */
export async function readIconikConfig(
  platform: Pick<Platform, 'db' | 'config'>,
): Promise<IconikConnection | undefined> {
  const appId = await configured(platform.db, 'iconikAppId')
  const token = await configuredSecret(platform, 'iconik.authtoken')
  return appId && token ? { url: platform.config.iconikUrl, appId, token } : undefined
}
