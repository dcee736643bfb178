import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'

/** Path of the page of an owner's files; the secret of the link follows it. */
export const ownerFilesPath = '/owner-files/'

/** Any text: a secret of the wrong length is refused as an unknown one is. */
const params = z.object({ token: z.string() })

const OwnerAnswer = z.enum(['keep', 'release'])
export type OwnerAnswer = z.infer<typeof OwnerAnswer>

/** Owners who got an email, their files with an answer, and the owners without an address: their number, and names of at most 100. */
export const OwnerAnswers = z.object({
  asked: z.int(),
  kept: z.number(),
  released: z.number(),
  withoutAddress: z.object({ owners: z.int(), names: z.array(z.string()) }),
})
export type OwnerAnswers = z.infer<typeof OwnerAnswers>

/** A file that its owner keeps or releases. `answer` is null without one. */
export const OwnerFile = z.object({
  position: z.int(),
  path: z.string(),
  size: z.number(),
  /** Last change, UTC. */
  modified: z.iso.datetime(),
  answer: OwnerAnswer.nullable(),
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
    body: z.object({ answer: OwnerAnswer, positions: z.array(z.int().min(1)).min(1).max(1_000).nullable() }),
  }),
}
