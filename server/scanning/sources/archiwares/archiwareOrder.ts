import type { ArchiwareOrder } from '#events/sources/archiwares.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { connectionOf } from './credentials.ts'

/** The index that an agent scans. Throws as `connectionOf` does, and 409 without credentials. */
export async function archiwareOrder(
  platform: Pick<Platform, 'db' | 'config'>,
  volumeId: number,
): Promise<ArchiwareOrder> {
  const { indexId, path, credentialId } = await platform.db
    .selectFrom('archiwares')
    .selectAll()
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  if (credentialId === null) conflict('The credentials of this Archiware index were deleted')
  return { kind: 'archiware', ...(await connectionOf(platform, credentialId)), index: indexId, path }
}
