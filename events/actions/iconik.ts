import { z } from 'zod'

/** An Iconik deployment, and the application that signs in there. The token is only sent to agents. */
export const IconikConnection = z.object({ url: z.string(), appId: z.string(), token: z.string() })
export type IconikConnection = z.infer<typeof IconikConnection>

/** A request of the server to an agent for a list of Iconik: the active collections, or the active storages for files. */
export const IconikQuestion = z.object({ connection: IconikConnection, list: z.enum(['collections', 'storages']) })
export type IconikQuestion = z.infer<typeof IconikQuestion>

/** `path` names the collections above it as well, as titles repeat; '' for one without others above it. */
export const IconikCollection = z.object({ id: z.string(), title: z.string(), path: z.string() })
export type IconikCollection = z.infer<typeof IconikCollection>

/** `method` is Iconik's word for the type, such as `S3` or `FILE`; `mountPoint` is the root of a storage of a gateway, else ''. */
export const IconikStorage = z.object({ id: z.string(), name: z.string(), method: z.string(), mountPoint: z.string() })
export type IconikStorage = z.infer<typeof IconikStorage>

/** The requested list, by title or name; the other one is empty. `debugMessage` is Iconik's own text. */
export const IconikAnswer = z.object({
  failure: z.object({ message: z.string(), debugMessage: z.string() }).nullable(),
  collections: z.array(IconikCollection),
  storages: z.array(IconikStorage),
})
export type IconikAnswer = z.infer<typeof IconikAnswer>
