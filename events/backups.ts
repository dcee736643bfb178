import { z } from 'zod'

/** Asks the server to write a backup into a folder of its machine; an absolute path. */
export const BackupOrder = z.object({ folder: z.string().startsWith('/') })
export type BackupOrder = z.infer<typeof BackupOrder>

/** What the server says of it, until it is done or failed. */
export const BackupNews = z.object({ type: z.enum(['step', 'done', 'failed']), words: z.string() })
export type BackupNews = z.infer<typeof BackupNews>
