import { ApiError } from '../answers.ts'
import type { Asset, AssetFile } from './assets.ts'
import type { Iconik } from './iconik.ts'

/** Object of an id. Throws the answer to an unknown one. */
export function find<T>(objects: Map<string, T>, id: string, kind: string): T {
  const found = objects.get(id)
  if (found === undefined) throw new ApiError(404, `${kind} ${id} does not exist`)
  return found
}

export function findAsset({ assets }: Iconik, id: string): Asset {
  const asset = find(assets, id, 'Asset')
  if (asset.status === 'DELETED') throw new ApiError(404, `Asset ${id} does not exist`)
  return asset
}

export function findFile(iconik: Iconik, assetId: string, id: string): AssetFile {
  const file = findAsset(iconik, assetId).files.find((file) => file.id === id)
  if (!file || file.status === 'DELETED') throw new ApiError(404, `File ${id} does not exist`)
  return file
}
