import type { S3Client } from '@aws-sdk/client-s3'
import { messageOf } from '../system.ts'

/** This machine has no role, or its keys can't be fetched. The message is that of the SDK. */
export class NoRole extends Error {
  /** True if no place that the SDK knows has a role, so that nothing failed. */
  readonly isMissing: boolean
  constructor(error: unknown) {
    super(messageOf(error))
    this.isMissing = this.message.startsWith('Could not load credentials from any providers')
  }
}

/**
 * Fetches the keys of this machine's role, which the SDK keeps until shortly before they expire. Throws `NoRole`, so that a
 * failure of the machine is not taken for one of the store.
 */
export async function checkRole(client: S3Client): Promise<void> {
  try {
    await client.config.credentials()
  } catch (error) {
    throw new NoRole(error)
  }
}
