import type { SodaConnection, TransferAnswer, TransferQuestion, TransferStorage } from '#events/actions/transfers.ts'
import type { TransferEngine } from './engine.ts'
import { type EngineOptions, openHttpEngine } from './httpEngine/index.ts'
import { absolute } from './placement.ts'

/** All storages of a transfer service, by name. Throws `TransferFailed` or `TransferAway`. */
export const listStorages = (
  connection: SodaConnection,
  signal: AbortSignal,
  options: EngineOptions = {},
): Promise<TransferStorage[]> => withEngine(connection, options, (engine) => engine.listStorages(signal))

/** Folders in a folder of a storage, by name. Throws as `listStorages`. */
export const listFolders = (
  connection: SodaConnection,
  storageId: string,
  path: string,
  signal: AbortSignal,
  options: EngineOptions = {},
): Promise<TransferAnswer['folders']> =>
  withEngine(connection, options, (engine) => engine.listFolders(storageId, absolute(path), signal))

/** The list of a question. */
export async function answerTo(question: TransferQuestion, signal: AbortSignal): Promise<TransferAnswer> {
  const { connection } = question
  const nothing: TransferAnswer = { failure: null, storages: [], folders: [] }
  if (question.list === 'storages') return { ...nothing, storages: await listStorages(connection, signal) }
  return { ...nothing, folders: await listFolders(connection, question.storageId, question.path, signal) }
}

async function withEngine<T>(
  connection: SodaConnection,
  options: EngineOptions,
  work: (engine: TransferEngine) => Promise<T>,
): Promise<T> {
  const engine = openHttpEngine(connection, options)
  try {
    return await work(engine)
  } finally {
    engine.close()
  }
}
