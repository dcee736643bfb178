import type { Call } from '#events/contract/endpoint.ts'
import { type FileStorage, fileStorages, fileStorageTypes } from '#events/sources/fileStorages.ts'
import { type NetworkShare, networkShares } from '#events/sources/networkShares.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { rowsOf } from '#client/parts/settings-table/calls.ts'
import type { Rows } from '#client/parts/settings-table/declaration.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

/** A file storage, with the mount of a share. */
export type FileStorageRow = FileStorage & { share: NetworkShare | undefined }

/** Users set up fewer storages by hand than one page has. */
const all = { page: 1, size: 500 }

export const useShares = () => useRemote(networkShares.list, { query: all }, 'sources')

const storages = rowsOf(fileStorages.list, 'sources')

/** The file storages that are set up, each with its share. */
export const fileStorageRows = ({ data: shares }: Loadable<{ elements: NetworkShare[] }>): Rows<FileStorageRow> => ({
  ...storages,
  query: (page) => ({ ...storages.query(page), filterType: [...fileStorageTypes] }),
  pageOf: (answer) => {
    const { elements } = storages.pageOf(answer)
    const shareOf = ({ id }: FileStorage) => shares?.elements.find(({ volumeId }) => volumeId === id)
    return {
      elements: elements.map((storage) => ({ ...storage, share: shareOf(storage) })),
      total: elements.length,
    }
  },
})

type LocalDraft = Call<typeof fileStorages.create>['body']
type ShareDraft = Call<typeof networkShares.create>['body']

/** Each mount type has its own call. */
export type StorageDraft = LocalDraft | ShareDraft

/** Sets up a file storage. Returns the id of its storage. */
export async function createFileStorage(body: StorageDraft): Promise<number> {
  if (!('shareName' in body)) return (await call(fileStorages.create, { body })).id
  const { id } = await call(networkShares.create, { body })
  const { elements } = await call(networkShares.list, { query: { sort: 'id', direction: 'desc', size: 500 } })
  return elements.find((share) => share.id === id)?.volumeId ?? id
}

/** Changes a file storage. A share has its own id. */
export const updateFileStorage = ({ id, share }: FileStorageRow, body: StorageDraft): Promise<unknown> =>
  'shareName' in body
    ? call(networkShares.update, { params: { id: share?.id ?? id }, body })
    : call(fileStorages.update, { params: { id }, body })
