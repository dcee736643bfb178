import { z } from 'zod'
import { blankForNull, filledPath } from '#events/contract/blank.ts'
import { crud } from '#events/contract/endpoint.ts'
import { betweenCharacters, credentialName, line } from './credentialFields.ts'
import { folderFault, hostFault, optionsFault, shareFault, shareTypes } from './mountRules.ts'
import { FileStorageDraft, PriceBookOfStorage, sourceFailures } from './fileStorages.ts'

const options = blankForNull(
  z
    .string()
    .trim()
    .max(10_000, betweenCharacters(0, 10_000))
    .superRefine((text, { addIssue }) => {
      const message = optionsFault(text)
      if (message) addIssue({ code: 'custom', message })
    }),
)

/** Sign-in to SMB shares. A password is write-only; null keeps the one that is stored. */
export const NetworkCredentialDraft = z.object({
  name: credentialName,
  username: line(1, 255),
  password: line(1, 255).nullable(),
  domain: blankForNull(line(0, 255)),
  options,
})
export type NetworkCredentialDraft = z.infer<typeof NetworkCredentialDraft>

/** `isPasswordLost`: it was stored with another key than the server has now, and has to be entered again. */
export const NetworkCredential = NetworkCredentialDraft.omit({ password: true }).extend({
  id: z.int(),
  isPasswordLost: z.boolean(),
})
export type NetworkCredential = z.infer<typeof NetworkCredential>

/** A name that is taken, and a new credential without a password, are 400; one that storages use cannot be deleted: 409. */
export const networkCredentials = crud('/v1/networkVolumes/credentials', {
  entity: NetworkCredential,
  draft: NetworkCredentialDraft,
  secrets: ['password'],
  one: 'On-Premises credentials',
  many: 'On-Premises credentials',
  needs: 'settings.edit',
})

const ShareFields = FileStorageDraft.omit({
  name: true,
  type: true,
  server: true,
  includesMountedFileSystems: true,
  policyActions: true,
  followsChanges: true,
  readMedia: true,
}).extend({
  dataintellName: FileStorageDraft.shape.name,
  type: z.enum(shareTypes),
  host: z.string().trim().min(1, "can't be empty").max(255, betweenCharacters(1, 255)),
  shareName: filledPath("can't be empty"),
  options,
  /** The folder of the share that is scanned; '/' is all of it. */
  path: FileStorageDraft.shape.path.default('/'),
  serverId: z.int().min(1).default(1),
  /** None is a guest. NFS knows no credentials. */
  networkVolumeCredential: z.object({ id: z.int() }).nullable().default(null),
})

/** A share of the network that is scanned as a file storage: the agent mounts it for the scan alone, read-only. */
export const NetworkShareDraft = ShareFields.superRefine(({ type, host, shareName, path }, { addIssue }) => {
  const wrong = { host: hostFault(host), shareName: shareFault(type, shareName), path: folderFault(path) }
  for (const [field, message] of Object.entries(wrong))
    if (message) addIssue({ code: 'custom', path: [field], message })
})
export type NetworkShareDraft = z.infer<typeof NetworkShareDraft>

/** `volumeId` is the storage as every other call knows it. */
export const NetworkShare = ShareFields.extend({
  id: z.int(),
  volumeId: z.int(),
  storagePrice: PriceBookOfStorage,
})
export type NetworkShare = z.infer<typeof NetworkShare>

export const networkShares = crud('/v1/networkVolumes', {
  entity: NetworkShare,
  draft: NetworkShareDraft,
  one: 'File Storage',
  many: 'File Storages',
  needs: 'settings.edit',
  failures: sourceFailures,
})

/**
 * A share with the values for `mount`; without a credential it is mounted as a guest. The agent checks it with `mountFault`, regardless of
 * the sender. It contains a password, so it is only sent to the agent that scans or checks the share.
 */
export const ShareMount = z.object({
  type: z.enum(shareTypes),
  host: z.string(),
  shareName: z.string(),
  options: z.string(),
  credential: z.object({ username: z.string(), password: z.string(), domain: z.string() }).nullable(),
})
export type ShareMount = z.infer<typeof ShareMount>

/** A folder of a share that the agent mounts for the scan: '/' is all of the share. */
export const NetworkShareOrder = z.object({ kind: z.literal('networkShare'), mount: ShareMount, path: z.string() })
export type NetworkShareOrder = z.infer<typeof NetworkShareOrder>
