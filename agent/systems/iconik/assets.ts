import { z } from 'zod'
import type { PlannedFile } from '#events/actions/files.ts'
import { Refusal } from './failures.ts'
import { placeOf } from './places.ts'
import type { Target } from './target.ts'
import type { Timing } from './timing.ts'

const id = z.string()
const Asset = z.object({
  id,
  status: z.string().nullish(),
  external_id: z.string().nullish(),
  created_by_user: z.string().nullish(),
  in_collections: z.array(id).nullish(),
  versions: z.array(z.object({ id })).nullish(),
})
export type Asset = z.infer<typeof Asset>

/** Assets of a page of search results. */
const maxFound = 100
const Found = z.object({ objects: z.array(z.object({ id })).max(maxFound) })

/** Reference of a file: the same in each attempt, so that its asset is found again. */
export const referenceOf = ({ prefix }: Target, { position }: PlannedFile): string => `${prefix}-${position}`

/** Creates the asset of a file, in its collection if there is one. Every call creates another one. */
export function createAsset(target: Target, file: PlannedFile, signal: AbortSignal): Promise<Asset> {
  const { collectionId } = target.order
  const inCollection = { apply_default_acls: 'false', apply_collection_acls: 'true', assign_to_collection: 'true' }
  return target.client.call(
    {
      method: 'POST',
      path: 'assets/v1/assets/',
      query: collectionId === null ? {} : inCollection,
      body: {
        title: placeOf(target, file).name,
        type: 'ASSET',
        external_id: referenceOf(target, file),
        ...(collectionId !== null && { collection_id: collectionId }),
      },
    },
    Asset,
    signal,
  )
}

type Search = { reference: string; delaysMs: readonly number[]; timing: Timing }

/** Searches an asset until it appears, or the delays are over. */
export async function searchAsset(
  { client }: Target,
  { reference, delaysMs, timing }: Search,
  signal: AbortSignal,
): Promise<Asset | undefined> {
  const terms = [{ name: 'external_id', value: reference }]
  const body = { doc_types: ['assets'], filter: { operator: 'AND', terms } }
  for (const delayMs of [0, ...delaysMs]) {
    if (delayMs > 0) await timing.wait(delayMs, signal)
    const { objects } = await client.call({ method: 'POST', path: 'search/v1/search/', body }, Found, signal)
    for (const found of objects) {
      const asset = await readAsset({ client }, found.id, signal)
      if (asset?.external_id === reference) return asset
    }
  }
  return undefined
}

/** An asset, unless it was deleted: the search may still show it then. */
export const readAsset = (
  { client }: Pick<Target, 'client'>,
  assetId: string,
  signal: AbortSignal,
): Promise<Asset | undefined> =>
  unlessMissing(client.call({ method: 'GET', path: `${assetPath(assetId)}` }, Asset, signal)).then((asset) =>
    asset?.status === 'DELETED' ? undefined : asset,
  )

/** Removes an asset whose upload failed. */
export async function removeAsset({ client }: Target, assetId: string, signal: AbortSignal): Promise<void> {
  await unlessRefused(client.call({ method: 'DELETE', path: `${assetPath(assetId)}uploads/` }, z.unknown(), signal))
}

/** Adds an asset to the chosen collection, unless it is there. */
export async function addToCollection(
  { client, order: { collectionId } }: Target,
  asset: Asset,
  signal: AbortSignal,
): Promise<void> {
  if (collectionId === null || asset.in_collections?.includes(collectionId)) return
  const path = `assets/v1/collections/${encodeURIComponent(collectionId)}/contents/`
  const body = { object_id: asset.id, object_type: 'assets' }
  await client.call({ method: 'POST', path, body }, z.unknown(), signal)
}

const assetPath = (assetId: string) => `assets/v1/assets/${encodeURIComponent(assetId)}/`

const unlessMissing = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  })

/** For calls that tidy up, which may have been done before, or need a right that is missing. */
export const unlessRefused = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
