import type { SodaConnection } from '#events/actions/transfers.ts'
import { configuredSecret, configuredValues } from '#server/configurations/index.ts'
import type { Platform } from '#server/platform/platform.ts'

/**
 * The transfer service with the client's secret, which goes to an agent and nowhere else. Undefined if it is not completely
 * configured. Throws 409 if the secret was encrypted with a different server key.
 */
export async function readSodaConfig(platform: Pick<Platform, 'db' | 'config'>): Promise<SodaConnection | undefined> {
  const { sodaUrl, sodaClientId } = await configuredValues(platform.db, 'sodaUrl', 'sodaClientId')
  const secret = await configuredSecret(platform, 'sodaClientSecret')
  const { config } = platform
  const url = (sodaUrl || config.sodaUrl)?.replace(/\/+$/, '')
  const clientId = sodaClientId || config.sodaClientId
  const clientSecret = secret ?? config.sodaClientSecret
  return url && clientId && clientSecret ? { url, clientId, clientSecret } : undefined
}
