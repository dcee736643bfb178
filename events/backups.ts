import { z } from 'zod'

/** Request to write a backup into a folder of the server's machine, given as an absolute path. */
export const BackupOrder = z.object({ folder: z.string().startsWith('/') })
export type BackupOrder = z.infer<typeof BackupOrder>

/** Progress of a backup, until it is done or failed. */
export const BackupProgress = z.object({ type: z.enum(['step', 'done', 'failed']), words: z.string() })
export type BackupProgress = z.infer<typeof BackupProgress>
