import { z } from 'zod'

/** A folder of a cluster with the password to sign in, which is only sent to the agent that scans it. */
export const PowerScaleOrder = z.object({
  kind: z.literal('powerScale'),
  /** A host, or a host and a port; without a port, the port is 8080. */
  host: z.string(),
  /** From `/ifs` on. */
  path: z.string(),
  username: z.string(),
  password: z.string(),
  /** SHA-256 of the certificate that the cluster has to present. */
  fingerprint: z.string().optional(),
  fullSnapshotDays: z.int().min(0),
  deltaSnapshotDays: z.int().min(1),
  /** Requests at once. */
  threads: z.int().min(1),
  /** Reads only what changed since the last scan, if that is possible. */
  isDelta: z.boolean(),
})
export type PowerScaleOrder = z.infer<typeof PowerScaleOrder>
