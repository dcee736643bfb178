import { z } from 'zod'
import { externalText } from '#events/contract/externalText.ts'
import { endpoint } from '#events/contract/endpoint.ts'
import { NotEnteredFolders } from '#events/storages.ts'
import { FileStorageDraft } from './fileStorages.ts'
import { NetworkCredentialDraft, NetworkShareDraft } from './networkShares.ts'
import { FailedField } from './sourceField.ts'

/** Maximum number of folders that an answer names. */
export const maxFoldersNamed = 1_000

/**
 * An agent's answer: `reason` is why the folder cannot be scanned, and `field` the input that is wrong. `folders` are the names of the folders in it, in order; `hasMore` when
 * there are more than are named. `notEntered` are folders that a scan would not enter. `realPath` is the path without symbolic links, and
 * `mountsAbove` are paths of file systems that it is in, and that a storage of a folder above would not enter; unknown of older agents.
 * `snapshotRules` are ignored paths that leave out the snapshots found in the folder and in those in it, see `snapshotFolders.ts`.
 * `sharesSpace`: copies of files may share their space on disk (reflinks).
 */
export const FolderProbe = z.object({
  reason: externalText(4_096).nullable(),
  field: FailedField,
  isEmpty: z.boolean(),
  folders: z.array(z.string()).max(maxFoldersNamed),
  hasMore: z.boolean(),
  notEntered: NotEnteredFolders.shape.folders.max(maxFoldersNamed).default([]),
  realPath: z.string().nullable().default(null),
  mountsAbove: z.array(z.string()).max(maxFoldersNamed).default([]),
  snapshotRules: z.array(z.string()).max(maxFoldersNamed).default([]),
  sharesSpace: z.boolean().default(false),
})
export type FolderProbe = z.infer<typeof FolderProbe>

/** The answer where nothing was found, neither folders nor faults. */
export const emptyProbe: FolderProbe = {
  reason: null,
  field: null,
  isEmpty: false,
  folders: [],
  hasMore: false,
  notEntered: [],
  realPath: null,
  mountsAbove: [],
  snapshotRules: [],
  sharesSpace: false,
}

/**
 * The same with data of the server. `isSilent`: the agent did not answer, so that nothing is known of the folder. `coveredBy` is the
 * storage that it is or is part of; `covers` are those within it.
 */
export const FolderCheck = FolderProbe.omit({ realPath: true, mountsAbove: true }).extend({
  isSilent: z.boolean(),
  coveredBy: z.string().nullable(),
  covers: z.array(z.string()),
})
export type FolderCheck = z.infer<typeof FolderCheck>

const { path } = FileStorageDraft.shape
const { type, host, shareName, options, networkVolumeCredential } = NetworkShareDraft.shape
const { username, password, domain } = NetworkCredentialDraft.shape

/** A sign-in that isn't stored yet. */
const SignIn = z.object({ username, password: password.unwrap(), domain })

/** Folder of a new storage. A storage that is being edited is named, so that it does not cover itself. */
export const FolderOfSource = z.object({
  serverId: z.int().min(1),
  path,
  share: z
    .object({ type, host, shareName, options, networkVolumeCredential, signIn: SignIn.nullable().default(null) })
    .nullable()
    .default(null),
  volumeId: z.int().min(1).nullable().default(null),
  includesMountedFileSystems: FileStorageDraft.shape.includesMountedFileSystems,
})
export type FolderOfSource = z.infer<typeof FolderOfSource>

/** Has an agent look into a folder before a storage is set up there. Nothing is changed. */
export const folderCheck = endpoint({
  method: 'POST',
  path: '/v1/storages/folders',
  needs: 'settings.edit',
  failure: 'Unable to look into the folder',
  body: FolderOfSource,
  answer: FolderCheck,
})
