import type { PlannedFile } from '#events/actions/files.ts'
import { type Asset, readAsset, referenceOf } from './assets.ts'
import { FileRecord } from './fileRecords.ts'
import { pagesOf } from './paging.ts'
import { placeOf } from './places.ts'
import type { Target } from './target.ts'
import { isSamePlace } from './unconfirmed.ts'

/**
 * The asset of a file that is registered on the storage of a gateway: the one of this action, or else another one, which the gateway itself
 * or an earlier action created.
 */
export async function findRegistered(
  target: Target,
  file: PlannedFile,
  signal: AbortSignal,
): Promise<{ asset: Asset; isOwn: boolean } | undefined> {
  const place = placeOf(target, file)
  const { directory, name } = place
  const query = { path: directory === '' ? name : `${directory}/${name}`, directory_path: directory }
  const path = `files/v1/storages/${encodeURIComponent(target.storage.id)}/files/`
  let other: Asset | undefined
  for await (const { objects } of pagesOf(target.client, { path, query, item: FileRecord }, signal))
    for (const record of objects.filter((each) => isSamePlace(each, place) && isThere(each))) {
      const asset = await readAsset(target, record.asset_id ?? '', signal)
      if (asset?.external_id === referenceOf(target, file)) return { asset, isOwn: true }
      other ??= asset
    }
  return other && { asset: other, isOwn: false }
}

const isThere = ({ asset_id: assetId, status }: FileRecord): boolean =>
  !!assetId && status !== 'DELETED' && status !== 'FAILED'
