import { z } from 'zod'
import { externalText, ExternalFailure } from '#events/contract/externalText.ts'
import { endpoint } from '#events/contract/endpoint.ts'

/** An Iconik deployment, and the application that signs in there. The token is only sent to agents. */
export const IconikConnection = z.object({ url: z.string(), appId: z.string(), token: z.string() })
export type IconikConnection = z.infer<typeof IconikConnection>

/** A request of the server to an agent for a list of Iconik: the active collections, or the active storages for files. */
export const IconikQuestion = z.object({ connection: IconikConnection, list: z.enum(['collections', 'storages']) })
export type IconikQuestion = z.infer<typeof IconikQuestion>

const text = externalText(4_096)

/** `path` names the collections above it as well, as titles repeat; '' for one without others above it. */
export const IconikCollection = z.object({ id: text, title: text, path: text })
export type IconikCollection = z.infer<typeof IconikCollection>

/** `method` is Iconik's word for the type, such as `S3` or `FILE`; `mountPoint` is the root of a storage of a gateway, else ''. */
export const IconikStorage = z.object({ id: text, name: text, method: text, mountPoint: text })
export type IconikStorage = z.infer<typeof IconikStorage>

/** Maximum lengths of the lists. 20,000 collections take 0.7 to 1 MB when they are compressed, and NATS carries 1 MiB in a message. */
export const maxCollections = 20_000
export const maxStorages = 10_000

/** The requested list, by title or name; the other one is empty. `debugMessage` is Iconik's own text. */
export const IconikAnswer = z.object({
  failure: ExternalFailure.nullable(),
  collections: z.array(IconikCollection).max(maxCollections),
  storages: z.array(IconikStorage).max(maxStorages),
})
export type IconikAnswer = z.infer<typeof IconikAnswer>

/**
 * Methods of storages that files can be uploaded to; `FILE` means that files are registered where a gateway of Iconik has them. Iconik
 * gives no address to upload to for the others.
 */
export const uploadMethods = ['GCS', 'S3', 'B2', 'AZURE', 'FILE'] as const
export const acceptsUploads = (method: string): boolean => uploadMethods.some((one) => one === method)

const listing = { needs: 'iconik.use', bundle: 'iconik', method: 'GET' } as const

/** Active collections, by title, as a connected agent lists them. 409 if Iconik is not configured, 502 with Iconik's own error. */
export const iconikCollections = endpoint({
  ...listing,
  limitedBy: 'refused',
  path: '/v1/iconik/collections',
  failure: 'Unable to get the list of collections from Iconik.',
  answer: z.array(IconikCollection),
})

/** Active storages for files, by name; fails like `iconikCollections`. */
export const iconikStorages = endpoint({
  ...listing,
  limitedBy: 'refused',
  path: '/v1/iconik/storages',
  failure: 'Unable to get the list of storages from Iconik.',
  answer: z.array(IconikStorage),
})
