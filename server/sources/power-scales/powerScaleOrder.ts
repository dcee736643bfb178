import type { PowerScaleOrder } from '#events/sources/powerScales.ts'
import { configuredNumber } from '#server/configurations/index.ts'
import { openCredential } from '#server/platform/crud/credentials.ts'
import type { Platform } from '#server/platform/platform.ts'
import { powerScaleCredentials } from './credentials.ts'

/**
 * The folder that an agent scans, with the password for its cluster. Throws 409 if the password was encrypted with a
 * different server key.
 */
export async function powerScaleOrder(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  volumeId: number,
  { isDelta }: { isDelta: boolean },
): Promise<PowerScaleOrder> {
  const {
    host,
    path,
    credential: id,
    name,
    username,
    ...row
  } = await db
    .selectFrom('powerScales')
    .innerJoin('powerScaleCredentials', 'powerScaleCredentials.id', 'credentialId')
    .selectAll('powerScales')
    .select(['powerScaleCredentials.id as credential', 'name', 'username', 'password'])
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  const sealed = { id, name, secret: 'password', sealed: row.password } as const
  return {
    kind: 'powerScale',
    host,
    path,
    username,
    password: await openCredential(config, powerScaleCredentials, sealed),
    ...(row.certificateFingerprint !== '' && { fingerprint: row.certificateFingerprint }),
    fullSnapshotDays: row.fullSnapshotDays,
    deltaSnapshotDays: row.deltaSnapshotDays,
    threads: await configuredNumber(db, 'scanDellPowerscaleNumberOfThreads'),
    isDelta,
  }
}
