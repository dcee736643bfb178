import type { ArchiwareOrder } from '#events/sources/archiwares.ts'
import type { Platform } from '#server/platform/platform.ts'
import { connectionOf } from './credentials.ts'

/** The index that an agent scans. Throws as `connectionOf` does. */
export async function archiwareOrder(
  platform: Pick<Platform, 'db' | 'config'>,
  volumeId: number,
): Promise<ArchiwareOrder> {
  const { indexId, path, credentialId } = await platform.db
    .selectFrom('archiwares')
    .selectAll()
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  return { kind: 'archiware', ...(await connectionOf(platform, credentialId ?? 0)), index: indexId, path }
}
