import {
  type DeletedBy,
  type SodaConnection,
  TransferAnswer,
  type TransferFolder,
  transferFolders,
  type TransferQuestion,
  type TransferStorage,
  transferStorages,
} from '#events/actions/transfers.ts'
import { subjects } from '#events/subjects.ts'
import { configured } from '#server/configurations/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { askAllowedAgents } from '../askAllowedAgents.ts'
import { readSodaConfig } from './readSodaConfig.ts'

type Services = Pick<Platform, 'db' | 'config' | 'nats'>

export async function listStorages(platform: Services): Promise<TransferStorage[]> {
  const connection = await sodaConnection(platform)
  return (await askFor(platform, { connection, list: 'storages' }, transferStorages.failure)).storages
}

/** Folders in one folder of a storage of the service. */
export async function listFolders(platform: Services, storageId: string, path: string): Promise<TransferFolder[]> {
  const connection = await sodaConnection(platform)
  const question = { connection, list: 'folders', storageId, path } as const
  return (await askFor(platform, question, transferFolders.failure)).folders
}

const askFor = (platform: Services, question: TransferQuestion, title: string): Promise<TransferAnswer> =>
  askAllowedAgents(platform, {
    allowed: 'sodaAgents',
    subject: subjects.transfers,
    question,
    answer: TransferAnswer,
    title,
    code: 'soda',
  })

/** The transfer service and its client. Throws 409 if it is not configured. */
export const sodaConnection = async (platform: Pick<Platform, 'db' | 'config'>): Promise<SodaConnection> =>
  (await readSodaConfig(platform)) ??
  conflict(
    'The transfer service is not configured. Set the URL, the Client ID and the Client Secret in Settings > Data > SODA Integration.',
    'not-configured',
  )

/** The one who deletes moved files. */
export const movesDeletedBy = async ({ db }: Pick<Platform, 'db'>): Promise<DeletedBy> =>
  (await configured(db, 'sodaDeletesMovedFiles')) === 'true' ? 'service' : 'agent'
