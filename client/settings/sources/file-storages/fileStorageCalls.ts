import { networkShares } from '#events/sources/networkShares.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { call } from '#client/app/call.ts'
import { type FileStorageFields, isShare, localDraft, shareDraft } from './fileStorageForm.ts'

/** Sets up a file storage by the call of its mount type. Returns the id of its storage. */
export async function createFileStorage(fields: FileStorageFields): Promise<number> {
  const { mountType } = fields
  if (!isShare(mountType)) return (await call(fileStorages.create, { body: localDraft(fields) })).id
  const { id } = await call(networkShares.create, { body: shareDraft({ ...fields, mountType }) })
  const { elements } = await call(networkShares.list, { query: { sort: 'id', direction: 'desc', size: 500 } })
  return elements.find((share) => share.id === id)?.volumeId ?? id
}

/** Changes a file storage by the call of its mount type; `id` is that of the local or of the network volume. */
export async function updateFileStorage(id: number, fields: FileStorageFields): Promise<void> {
  const { mountType } = fields
  const params = { id }
  if (isShare(mountType)) await call(networkShares.update, { params, body: shareDraft({ ...fields, mountType }) })
  else await call(fileStorages.update, { params, body: localDraft(fields) })
}
