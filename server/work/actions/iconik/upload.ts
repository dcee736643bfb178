import { acceptsUploads } from '#events/actions/iconik.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { invalid } from '#server/platform/problem.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { localVolumes, planPerVolume, unsendable } from '../kit/parts.ts'
import { iconikConnection } from './iconik.ts'

/** Uploads files of local file storages: one part for each storage. Places are the paths in the storage. */
export const upload: ActionHandler<'upload'> = {
  plan({ db }, { storageId, storageType }, snapshot) {
    if (storageId === '') invalid('storageId', 'must not be empty')
    if (!acceptsUploads(storageType)) invalid('storageType', `${storageType} storages of Iconik take no uploads`)
    const { local, rules } = localVolumes(snapshot, 'Not on a file storage')
    return planPerVolume(db, local, sql`path`, ...rules, ...unsendable)
  },
  async order(platform, { collectionId, storageId, storageType }) {
    return { kind: 'upload', connection: await iconikConnection(platform), collectionId, storageId, storageType }
  },
}
