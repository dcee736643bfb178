import { z } from 'zod'

/** An Iconik deployment, and the application that signs in there. The token is only sent to agents. */
export const IconikConnection = z.object({ url: z.string(), appId: z.string(), token: z.string() })
export type IconikConnection = z.infer<typeof IconikConnection>
