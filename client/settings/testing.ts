import { liveOff } from '#events/feeds/liveState.ts'
import { storNextConfigs, storNextMappings } from '#events/actions/storNext.ts'
import { sodaMappings } from '#events/actions/transfers.ts'
import { agentInfos, agents } from '#events/agents.ts'
import { configurations } from '#events/configurations.ts'
import { storageOverview } from '#events/overview/storageOverview.ts'
import { type PriceBook, type PriceBookDraft, priceBooks } from '#events/price-books.ts'
import type { FolderCheck } from '#events/sources/folderCheck.ts'
import { archiwareMappings } from '#events/sources/archiwareMappings.ts'
import { archiwareCredentials, archiwares } from '#events/sources/archiwares.ts'
import {
  type Bucket,
  type BucketCredential,
  bucketCredentials,
  type BucketDraft,
  type SignIn,
  buckets,
} from '#events/sources/buckets.ts'
import { dropboxLink } from '#events/sources/dropbox.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import {
  type NetworkShare,
  type NetworkShareDraft,
  networkCredentials,
  networkShares,
} from '#events/sources/networkShares.ts'
import {
  type PowerScale,
  type PowerScaleCredential,
  type PowerScaleDraft,
  powerScaleCredentials,
  powerScales,
} from '#events/sources/powerScales.ts'
import { storages } from '#events/storages.ts'
import { today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith } from '#client/testing/fakeApi.ts'

/** A folder that can be a storage, without anything to say about it. */
export const fineFolder: FolderCheck = {
  reason: null,
  field: null,
  isEmpty: false,
  isSilent: false,
  folders: [],
  hasMore: false,
  notEntered: [],
  snapshotRules: [],
  sharesSpace: false,
  coveredBy: null,
  covers: [],
}

/** Default agent. */
export const builtIn = { id: 1, name: 'Built-in agent' }

/** Answers for an empty data tab. */
export const emptyDataTab: readonly FakeAnswer[] = [
  storagesOf([]),
  answer(storageOverview, []),
  answer(configurations.list, []),
  answer(fileStorages.list, pageWith([])),
  answer(networkShares.list, pageWith([])),
  answer(networkCredentials.list, pageWith([])),
  answer(buckets.list, pageWith([])),
  answer(bucketCredentials.list, pageWith([])),
  answer(dropboxLink, { url: null }),
  answer(powerScales.list, pageWith([])),
  answer(powerScaleCredentials.list, pageWith([])),
  answer(archiwares.list, pageWith([])),
  answer(archiwareCredentials.list, pageWith([])),
  answer(archiwareMappings.list, pageWith([])),
  answer(archiwareMappings.ofVolume, null),
  answer(storNextConfigs.list, pageWith([])),
  answer(storNextMappings.list, pageWith([])),
  answer(sodaMappings.list, pageWith([])),
  answer(priceBooks.list, pageWith([])),
  answer(agents.list, pageWith([builtIn])),
  answer(agentInfos, []),
]

/** A price book whose price applies to all dates. */
export const priceBookOf = (draft: PriceBookDraft, id: number): PriceBook => {
  const { since, ...book } = draft
  const { currencySymbol, price, classPrices } = book
  const entered = { since: since ?? today, currencySymbol, price, classPrices, changedBy: 'ana', changedAt: null }
  return { ...book, id, history: [entered] }
}

/** Credentials of a provider with known keys. */
export const credentialOf = (
  { name, type, url, signIn = 'keys' }: Pick<BucketCredential, 'name' | 'type' | 'url'> & { signIn?: SignIn },
  id: number,
): BucketCredential => ({ id, name, type, signIn, url, isPasswordLost: false })

/** A bucket with the first credentials and the first price book by default. */
export const bucketOf = (
  draft: Partial<BucketDraft> & Pick<BucketDraft, 'name' | 'description' | 'type'>,
  id: number,
  volumeSettingId = id + 100,
): Bucket => ({
  region: '',
  path: '',
  awsCredentialsId: 1,
  namespace: '',
  requestsPerSecond: null,
  countsVersions: false,
  inventory: '',
  prefix: '',
  requesterPays: false,
  teamSpace: false,
  queue: '',
  readMedia: false,
  pace: null,
  ...draft,
  id,
  volumeSettingId,
  storagePrice: { id: 1, description: 'Cloud' },
})

/** A share of the storage `volumeId`. */
export const shareOf = (draft: NetworkShareDraft, id: number, volumeId = id): NetworkShare => ({
  ...draft,
  id,
  volumeId,
})

/** Credentials of a cluster, whose password is known. */
export const powerScaleCredentialOf = (
  { name, username }: Pick<PowerScaleCredential, 'name' | 'username'>,
  id: number,
): PowerScaleCredential => ({ id, name, username, isPasswordLost: false })

/** A folder of a cluster. */
export const powerScaleOf = (draft: PowerScaleDraft, id: number): PowerScale => ({
  ...draft,
  id,
  volumeSettingId: id + 100,
})

/** Answer of the list of storages, from their ids, names and types. */
export function storagesOf(all: [id: number, name: string, type: string][]): FakeAnswer {
  return answer(storages, {
    elements: all.map(([id, name, type]) => ({
      id,
      name,
      account: null,
      type,
      createdAt: `${today}T10:00:00.000Z`,
      stats: { capacityUsed: null, capacityTotal: null, capacityFree: null, fileSystem: null },
      live: liveOff,
    })),
    startCursor: null,
    endCursor: null,
    hasNextPage: false,
    hasPreviousPage: false,
    size: 500,
    sort: 'NAME',
    direction: 'asc',
    indexingDate: today,
  })
}
