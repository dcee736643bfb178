import { z } from 'zod'

/** Below the root of a storage, `/a/b`; empty for the whole of it. */
const ScannedPath = z
  .string()
  .max(4_096)
  .regex(/^(\/|$)/, 'must be empty or begin with /')
  .refine((path) => !/(^|\/)\.{1,2}(\/|$)|\0/.test(path), 'must not have . or .. in it')
  .overwrite((path) => path.replace(/\/+/g, '/').replace(/\/$/, ''))

/** The storages that are scanned, each from its folder on. */
export const StorageIdToPath = z
  .record(z.string().regex(/^[1-9]\d{0,8}$/, 'must be the id of a storage'), ScannedPath)
  .refine((map) => Object.keys(map).length > 0, 'must name at least one storage')
  .refine((map) => Object.keys(map).length <= 10_000, 'must name at most 10000 storages')
