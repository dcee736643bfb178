import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'

/** Secret of a link to an owner's files, in base64url. */
const params = z.object({ token: z.string().regex(/^[\w-]{43}$/) })

const Answered = z.enum(['keep', 'release'])

/** A file that its owner is asked about. `answer` is null without one. */
export const OwnerFile = z.object({
  position: z.int(),
  path: z.string(),
  size: z.number(),
  /** Last change, UTC. */
  modified: z.iso.datetime(),
  answer: Answered.nullable(),
})
export type OwnerFile = z.infer<typeof OwnerFile>

/** Both calls need no account: the link has a secret. They answer 404 to an unknown or ended one, and tell nothing else. */
const common = { needs: 'nothing', path: '/v1/owner-files/:token', params } as const

export const ownerFiles = {
  /** The files of one owner by position, and until when answers count. */
  list: endpoint({
    ...common,
    method: 'GET',
    failure: 'Unable to list your files',
    query: z.object({ size: writtenInt(1, 1000).default(100), after: writtenInt(0).default(0) }),
    answer: z.object({
      owner: z.string(),
      policy: z.string(),
      until: z.iso.datetime(),
      files: z.number(),
      bytes: z.number(),
      kept: z.number(),
      released: z.number(),
      rows: z.array(OwnerFile),
      cursor: z.int().nullable(),
    }),
  }),
  /** Keeps or releases the files at these positions, or all without any. An answer can be changed until the link ends. */
  answer: endpoint({
    ...common,
    method: 'PUT',
    failure: 'Unable to save your answer',
    body: z.object({ answer: Answered, positions: z.array(z.int().min(1)).min(1).max(1_000).nullable() }),
  }),
}
