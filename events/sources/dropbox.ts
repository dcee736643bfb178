import { z } from 'zod'
import { endpoint, Id } from '#events/contract/endpoint.ts'
import { AccessKey, BucketCredential, BucketCredentialDraft } from './buckets.ts'

const Code = AccessKey.nullable().optional()

/**
 * Sign-in to Dropbox: a code that its user got there, which is valid once and for a short time. It is write-only; null keeps the sign-in
 * that is stored. The access key doubles as the code, so one of them is enough.
 */
export const DropboxCredentialDraft = z
  .object({
    name: BucketCredentialDraft.shape.name,
    type: z.literal('DROPBOX').default('DROPBOX'),
    code: Code,
    accessKey: Code,
    privateKey: z.literal('').nullable().default(''),
    url: z.literal('').default(''),
  })
  .superRefine(({ code, accessKey }, { addIssue }) => {
    const issue = (message: string) => addIssue({ code: 'custom', path: ['code'], message })
    if (code === undefined && accessKey === undefined) issue('is required')
    if (code !== undefined && accessKey !== undefined && code !== accessKey) issue('must be the same as accessKey')
  })
export type DropboxCredentialDraft = z.infer<typeof DropboxCredentialDraft>

/**
 * Link at which a user gets a code for this server; null without an app key of Dropbox, which then cannot be set up. The code is for the
 * user who requested it.
 */
export const dropboxLink = endpoint({
  method: 'GET',
  path: '/v1/dropbox-credentials/link',
  needs: 'settings.edit',
  failure: 'Unable to get the address of Dropbox',
  answer: z.object({ url: z.string().nullable() }),
})

/**
 * The code is exchanged at once for a sign-in that stays. One that Dropbox refuses, and a name that is taken, are 400; 409
 * where the server has no app key of Dropbox; 502 with the code `provider` where Dropbox does not answer.
 */
export const dropboxCredentials = {
  create: endpoint({
    method: 'POST',
    path: '/v1/dropbox-credentials',
    needs: 'settings.edit',
    failure: 'Unable to create Dropbox credential',
    body: DropboxCredentialDraft,
    answer: Id,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/dropbox-credentials/:id',
    needs: 'settings.edit',
    failure: 'Unable to update Dropbox credential',
    params: Id,
    body: DropboxCredentialDraft,
    record: BucketCredential,
  }),
}
