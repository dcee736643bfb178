import { z } from 'zod'

/** A P5 server and the password to sign in there, which is only sent to agents. */
export const ArchiwareConnection = z.object({
  url: z.string(),
  username: z.string(),
  password: z.string(),
  /** SHA-256 of the one certificate that the server may show, as Node.js writes it: `AB:CD:…`. */
  fingerprint: z.string().optional(),
})
export type ArchiwareConnection = z.infer<typeof ArchiwareConnection>

/** An index that an agent scans from a folder of it on; '/' is all of it. */
export const ArchiwareOrder = ArchiwareConnection.extend({
  kind: z.literal('archiware'),
  index: z.string(),
  path: z.string(),
})
export type ArchiwareOrder = z.infer<typeof ArchiwareOrder>
