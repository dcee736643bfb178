import { z } from 'zod'
import type { UploadOrder } from '#events/actions/orders.ts'
import { type ActionContext, ActionFailed } from '../../actions/action.ts'
import { isUploadable } from './bytes/index.ts'
import type { Client } from './client.ts'
import { IconikFailed, Refusal } from './failures.ts'

/** The storage and the collection of an upload. */
export type Target = {
  client: Client
  order: UploadOrder
  storage: Storage
  /** Beginning of the reference of each file, which is the `external_id` of its asset. The same for all attempts. */
  prefix: string
}

const Storage = z.object({
  id: z.string(),
  name: z.string(),
  method: z.string(),
  status: z.string().nullish(),
  status_message: z.string().nullish(),
  settings: z.object({ write: z.boolean().nullish(), mount_point: z.string().nullish() }).nullish(),
})
type Storage = z.infer<typeof Storage>

const Roles = z.object({ objects: z.array(z.string()).max(10_000) })
const Access = z.object({ access_check: z.boolean().nullish(), error_message: z.string().nullish() })
const Collection = z.object({ status: z.string().nullish() })

const roles = [
  'can_read_storages',
  'can_create_assets',
  'can_write_formats',
  'can_write_files',
  'can_create_transcode_jobs',
]
const rolesForCollection = ['can_read_collections', 'can_write_collections']

/** Checks the token, its roles, the storage and the collection. Throws `IconikFailed` or `IconikAway`. */
export async function openTarget(
  client: Client,
  order: UploadOrder,
  { jobId, product, signal }: Pick<ActionContext, 'jobId' | 'product' | 'signal'>,
): Promise<Target> {
  await requireRoles(client, order, signal)
  const storage = await readStorage(client, order.storageId, signal)
  await requireCollection(client, order, signal)
  return { client, order, storage, prefix: `dataintell-${product}-${jobId}` }
}

async function requireRoles(client: Client, { collectionId }: UploadOrder, signal: AbortSignal): Promise<void> {
  const { objects } = await client.call({ method: 'GET', path: 'users/v1/users/current/roles/' }, Roles, signal)
  const required = [...roles, ...(collectionId === null ? [] : rolesForCollection)]
  const missing = required.filter((role) => !objects.includes(role))
  if (missing.length > 0)
    throw new IconikFailed(
      `The user of the token lacks rights in Iconik: ${missing.join(', ')}. Give the user a role group with them`,
    )
}

/** Returns the storage if files can be sent to it. */
export async function readStorage(client: Client, id: string, signal: AbortSignal): Promise<Storage> {
  const path = `files/v1/storages/${encodeURIComponent(id)}/`
  const storage = await client.call({ method: 'GET', path }, Storage, signal).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404
      ? new IconikFailed('The storage no longer exists in Iconik. Choose another one', error.debugMessage)
      : error
  })
  const { name, method, status, status_message: message, settings } = storage
  const refuse = (reason: string) => new ActionFailed(`The storage ${name} of Iconik ${reason}`)
  if (status === 'FAILING') throw refuse(`is failing: ${message || 'see Admin > Storages in Iconik'}`)
  if (status && status !== 'ACTIVE') throw refuse(`is not active (${status}). ${message || 'Activate it in Iconik'}`)
  if (settings?.write === false) throw refuse('is read-only. Allow writing in its settings in Iconik')
  if (method === 'FILE') return storage
  if (!isUploadable(method))
    throw refuse(
      `has the type ${method}, to which files can't be uploaded. Choose one of S3, GCS, B2, Azure or a gateway`,
    )
  await requireAccess(client, { name, path }, signal)
  return storage
}

/** Iconik checks that it can reach a bucket. Without a result of the check, uploads find out. */
async function requireAccess(client: Client, { name, path }: { name: string; path: string }, signal: AbortSignal) {
  const call = { method: 'GET' as const, path: `${path}verifications/access/` }
  const { access_check: isGood, error_message: message } = await client
    .call(call, Access, signal)
    .catch((error: unknown) => {
      if (error instanceof Refusal) return { access_check: null, error_message: null }
      throw error
    })
  if (isGood === false)
    throw new ActionFailed(`Iconik can't reach the storage ${name}: ${message || 'its access check failed'}`)
}

async function requireCollection(client: Client, { collectionId }: UploadOrder, signal: AbortSignal): Promise<void> {
  if (collectionId === null) return
  const path = `assets/v1/collections/${encodeURIComponent(collectionId)}/`
  const { status } = await client.call({ method: 'GET', path }, Collection, signal).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404) return { status: 'DELETED' }
    throw error
  })
  if (status === 'DELETED') throw new IconikFailed('The collection no longer exists in Iconik. Choose another one')
}
