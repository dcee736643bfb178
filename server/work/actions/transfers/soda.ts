import {
  type DeletedBy,
  type SodaConnection,
  TransferAnswer,
  transferFolders,
  transferOptions,
  type TransferQuestion,
  transferStorages,
} from '#events/actions/transfers.ts'
import { subjects } from '#events/subjects.ts'
import { configured, configuredSecret, configuredValues } from '#server/access/configurations/index.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { askAllowedAgents } from '../kit/askAllowedAgents.ts'

/** The lists and settings of the transfer wizard. */
export const transferRoutes = (platform: Platform) => [
  route(transferStorages, async () => {
    const connection = await sodaConnection(platform)
    return (await ask(platform, { connection, list: 'storages' }, transferStorages.failure)).storages
  }),
  route(transferFolders, async ({ params, query }) => {
    const connection = await sodaConnection(platform)
    return (await ask(platform, { connection, list: 'folders', ...params, ...query }, transferFolders.failure)).folders
  }),
  route(transferOptions, async () => ({ movesDeletedBy: await movesDeletedBy(platform) })),
]

const ask = (platform: Platform, question: TransferQuestion, title: string): Promise<TransferAnswer> =>
  askAllowedAgents(platform, {
    allowed: 'sodaAgents',
    subject: subjects.transfers,
    question,
    answer: TransferAnswer,
    title,
    code: 'soda',
  })

type Services = Pick<Platform, 'db' | 'config'>

/**
 * The transfer service with the client's secret, which goes to an agent and nowhere else. Undefined if it is not completely
 * configured. Throws 409 if the secret was encrypted with a different server key.
 */
export async function readSodaConfig(platform: Services): Promise<SodaConnection | undefined> {
  const { sodaUrl, sodaClientId } = await configuredValues(platform.db, 'sodaUrl', 'sodaClientId')
  const secret = await configuredSecret(platform, 'sodaClientSecret')
  const { config } = platform
  const url = (sodaUrl || config.sodaUrl)?.replace(/\/+$/, '')
  const clientId = sodaClientId || config.sodaClientId
  const clientSecret = secret ?? config.sodaClientSecret
  return url && clientId && clientSecret ? { url, clientId, clientSecret } : undefined
}

/** Same as `readSodaConfig`; throws 409 if the service is not configured. */
export const sodaConnection = async (platform: Services): Promise<SodaConnection> =>
  (await readSodaConfig(platform)) ??
  conflict(
    'The transfer service is not configured. Set the URL, the Client ID and the Client Secret in Settings > Data > SODA Integration.',
    'not-configured',
  )

/** The one who deletes moved files. */
export const movesDeletedBy = async ({ db }: Pick<Platform, 'db'>): Promise<DeletedBy> =>
  (await configured(db, 'sodaDeletesMovedFiles')) === 'true' ? 'service' : 'agent'
