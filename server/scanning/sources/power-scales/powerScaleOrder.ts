import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { FolderProbe } from '#events/sources/folderCheck.ts'
import type { PowerScaleOfSource, PowerScaleOrder } from '#events/sources/powerScales.ts'
import type { ConnectionCheck } from '#events/sources/sourceField.ts'
import { subjects } from '#events/subjects.ts'
import { configuredNumber } from '#server/access/configurations/index.ts'
import { takeHost } from '#server/platform/crud/boundSecrets.ts'
import { openCredential } from '#server/platform/crud/credentials.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { silentAgent } from '../silentAgent.ts'
import { powerScaleCredentials } from './credentials.ts'

type Services = Pick<Platform, 'db' | 'config'>

/**
 * The folder that an agent scans, with the password for its cluster. Throws 409 if the password was encrypted with a
 * different server key.
 */
export async function powerScaleOrder(
  services: Services,
  volumeId: number,
  { isDelta }: { isDelta: boolean },
): Promise<PowerScaleOrder> {
  const { credentialId, ...row } = await services.db
    .selectFrom('powerScales')
    .select(['host', 'path', 'credentialId', 'certificateFingerprint', 'fullSnapshotDays', 'deltaSnapshotDays'])
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  return orderOf(services, credentialId ?? 0, { ...row, isDelta })
}

/** Milliseconds until a request to an agent times out: a cluster may be slow to refuse. */
const answerWithinMs = 42_000

/**
 * Has the agent of a storage that is not saved yet sign in at its cluster. Throws 404 without the credentials, and 409
 * as above.
 */
export async function checkCluster(
  platform: Pick<Platform, 'db' | 'config' | 'nats'>,
  draft: PowerScaleOfSource,
): Promise<ConnectionCheck> {
  const { id } = draft.dellPowerScaleCredentials
  const order = await orderOf(platform, id, {
    ...draft,
    fullSnapshotDays: 0,
    deltaSnapshotDays: 1,
    isDelta: false,
  })
  const use = { table: 'powerScaleCredentials', id, host: draft.host } as const
  const fault = await inTransaction(platform.db, (trx) => takeHost(trx, use))
  if (fault !== undefined) return { reason: fault, field: 'credentials' }
  const options = { answer: FolderProbe, timeoutMs: answerWithinMs }
  const answer = await askAgent(platform.nats, subjects.look(draft.serverId), order, options)
  if (!answer) return silentAgent
  return { reason: answer.reason, field: answer.field }
}

type Folder = Pick<PowerScaleOrder, 'host' | 'path' | 'fullSnapshotDays' | 'deltaSnapshotDays' | 'isDelta'> & {
  certificateFingerprint: string
}

async function orderOf({ db, config }: Services, id: number, folder: Folder): Promise<PowerScaleOrder> {
  const credential = await db.selectFrom('powerScaleCredentials').selectAll().where('id', '=', id).executeTakeFirst()
  if (!credential) return notFound(powerScaleCredentials.one, id)
  const { name, username, password } = credential
  const { host, path, certificateFingerprint, fullSnapshotDays, deltaSnapshotDays, isDelta } = folder
  return {
    kind: 'powerScale',
    host,
    path,
    username,
    password: await openCredential(config, powerScaleCredentials, { id, name, secret: 'password', sealed: password }),
    ...(certificateFingerprint !== '' && { fingerprint: certificateFingerprint }),
    fullSnapshotDays,
    deltaSnapshotDays,
    threads: await configuredNumber(db, 'scanDellPowerscaleNumberOfThreads'),
    isDelta,
  }
}
