import type { StoredFile, StorNextConnection } from '#events/actions/storNext.ts'
import type { TransportOptions } from '../http/transport.ts'
import { openClient } from './client.ts'
import { lookUp } from './fileInfo.ts'
import { isText } from '#events/contract/fileNames.ts'

/**
 * Reads what Storage Manager knows about a file, by its path on the server; null for a file that it does not know. Throws `StorNextFailed`
 * or `StorNextAway`.
 */
export async function readStoredFile(
  connection: StorNextConnection,
  path: string,
  signal: AbortSignal,
  transport: TransportOptions = {},
): Promise<StoredFile | null> {
  if (!isText(path)) return null
  const client = await openClient(connection, signal, transport)
  try {
    return (await lookUp(client, [path], signal)).get(path)?.file ?? null
  } finally {
    client.close()
  }
}
