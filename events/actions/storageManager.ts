import { z } from 'zod'
import { AtDate, endpoint } from '#events/contract/endpoint.ts'
import { Entry } from '#events/entries.ts'

/**
 * A file or folder by its ID. For a file on a storage that is mapped to Quantum StorNext, the metadata include what the Storage Manager knows
 * about it: where it is, its policy class, copies, media and checksums. 502 if it can't say, 503 if the agent doesn't answer.
 */
export const storageManagerFile = endpoint({
  method: 'GET',
  path: '/v1/storageManager/files/:fileId',
  needs: 'snapshots.see',
  limitedBy: 'refused',
  bundle: 'storageManager',
  failure: 'Unable to get the file',
  params: z.object({ fileId: z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number') }),
  query: AtDate,
  answer: Entry,
})
