import { PasswordInput } from '@mantine/core'
import { Link } from 'wouter'
import { folderCheck } from '#events/sources/folderCheck.ts'
import { FileStorageDraft, mountTypes, policyActions } from '#events/sources/fileStorages.ts'
import { shareTypes } from '#events/sources/mountRules.ts'
import { NetworkShareDraft } from '#events/sources/networkShares.ts'
import { call } from '#client/app/call.ts'
import { useLinks } from '#client/app/links.ts'
import type { Connection } from '#client/parts/settings-table/connectionCheck.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { mediaFilesPerSecond, paceOfLookups } from '../pace/paceForm.ts'
import { agentSelect, credentialsField, pathsOf, priceBookField, rulesField, sizeBasisField } from '../sourceFields.tsx'
import type { FileStorageRow, StorageDraft } from './fileStorageRows.ts'
import { folderOf, isShare, type MountType, mountOf, problemsOf } from './folderChecks.ts'
import { FolderInput } from './FolderInput.tsx'
import { useCredentials } from './networkCredentials.ts'
import { scanTypeOptions, threadsDescription } from './scanTypes.ts'

const ofShare = { initial: '' as string, isShown: ({ mountType }: { mountType: MountType }) => isShare(mountType) }

const foldedUnder = 'Scan options'

const policyActionLabels: Record<FileStorageDraft['policyActions'], string> = {
  nothing: 'Change nothing',
  quarantine: 'Move files to quarantine',
  delete: 'Also delete files from quarantine',
}

type Place = { mountType: MountType; shareName: string; path: string }

/** Name of the scanned folder, or of a share that is scanned from its root. */
const proposedName = ({ mountType, shareName, path }: Place): string =>
  lastName(path) || (isShare(mountType) ? lastName(shareName) : '')

const lastName = (path: string): string =>
  path
    .trim()
    .split('/')
    .findLast((name) => name !== '') ?? ''

/** The name that was typed, or the proposed one. */
export const chosenName = ({ name, ...place }: Place & { name: string }): string => name.trim() || proposedName(place)

/** It is stored with the credentials, never with the share. */
const SignInPassword = ({ onChange, ...input }: InputProps<string>) => (
  <PasswordInput
    autoComplete="new-password"
    visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    {...input}
    aria-invalid={input.error ? true : undefined}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

/** Stored credentials replace a user name and password. */
const isSignInShown = ({ mountType, credentials }: { mountType: MountType; credentials: string }, edited: unknown) =>
  edited === 'new' && mountType === 'SMB' && credentials === ''

const FollowHelp = () => (
  <>
    Screens can show Now, which has changes within seconds. The agent needs the right to watch the file system.{' '}
    <Link href={useLinks().help({ page: 'live-storages' })}>Live storages</Link>
  </>
)

/** Form of a file storage, which is sent by the call of its mount type. */
export const fileStorageForm = describeForm<FileStorageRow, StorageDraft>()({
  schema: ({ mountType }) => (isShare(mountType) ? NetworkShareDraft : FileStorageDraft),
  checksOnBlur: true,
  fields: {
    name: {
      label: 'Name',
      placeholder: proposedName,
      description: (edited, fields) =>
        edited === 'new' && proposedName(fields) !== '' && `Leave empty to use "${proposedName(fields)}".`,
      initial: '',
      to: ['name', 'dataintellName'],
    },
    mountType: {
      label: 'Mount Type',
      kind: 'radio',
      // A storage can't change between local and shared.
      options: (edited) =>
        (edited === 'new' ? mountTypes : edited.share ? shareTypes : (['Local'] as const)).map((type) => ({
          value: type,
          label: type,
        })),
      initial: 'Local' as MountType,
      to: null,
      read: ({ mountType, share }) => share?.type ?? mountType ?? 'Local',
      // A share is scanned from its root by default; the root of a machine is rarely intended.
      changes: (mountType, { path }) =>
        path === (isShare(mountType) ? '' : '/') ? { path: isShare(mountType) ? '/' : '' } : {},
    },
    host: {
      label: 'Host',
      placeholder: 'nas.example.com',
      to: ['host'],
      read: ({ share }) => share?.host ?? '',
      ...ofShare,
    },
    shareName: {
      label: 'Share Name',
      placeholder: ({ mountType }) => (mountType === 'SMB' ? 'projects' : '/export/projects'),
      to: ['shareName'],
      read: ({ share }) => share?.shareName ?? '',
      ...ofShare,
    },
    credentials: {
      ...credentialsField(useCredentials, 'Guest'),
      to: ['networkVolumeCredential'],
      read: ({ share }) => String(share?.networkVolumeCredential?.id ?? ''),
      isShown: ({ mountType }) => mountType === 'SMB',
    },
    username: {
      label: 'Username',
      description: 'Leave empty for guest access. With a domain: STUDIO\\ana.',
      initial: '',
      to: null,
      read: () => '',
      isShown: isSignInShown,
    },
    password: {
      label: 'Password',
      kind: 'own',
      Input: SignInPassword,
      initial: '' as string,
      to: null,
      read: () => '',
      isShown: isSignInShown,
    },
    options: {
      label: 'Options',
      description: 'Mount options as in mount.cifs(8) or nfs(5). The agent always mounts read-only and with noexec.',
      placeholder: ({ mountType }) => (mountType === 'SMB' ? 'vers=3.0' : 'vers=4.1'),
      to: ['options'],
      read: ({ share }) => share?.options ?? '',
      ...ofShare,
    },
    path: {
      label: 'Path',
      kind: 'drawn',
      draw: ({ form, busy, edited, isFirst }) => (
        <FolderInput {...{ form, busy }} takesFocus={isFirst} volumeId={edited === 'new' ? undefined : edited.id} />
      ),
      initial: '',
      read: ({ path, share }) => share?.path ?? path,
    },
    includesMounted: {
      label: 'Include file systems mounted below',
      description: 'Scans also enter other file systems in this folder. File systems of the kernel are never included.',
      kind: 'checkbox',
      initial: false as boolean,
      to: ['includesMountedFileSystems'],
      read: ({ includesMountedFileSystems }) => includesMountedFileSystems,
      isShown: ({ mountType }) => !isShare(mountType),
      foldedUnder,
    },
    followsChanges: {
      label: 'Follow changes between scans',
      description: <FollowHelp />,
      kind: 'checkbox',
      initial: false as boolean,
      to: ['followsChanges'],
      isShown: ({ mountType }) => !isShare(mountType),
      foldedUnder,
    },
    readMedia: {
      label: 'Read media files',
      description:
        'After each scan, the agent reads codec, resolution, duration, camera and more from new and changed video, audio and image files.',
      kind: 'checkbox',
      initial: false as boolean,
      to: ['readMedia'],
      isShown: ({ mountType }) => !isShare(mountType),
      foldedUnder,
    },
    mediaFilesPerSecond,
    agent: { ...agentSelect, to: ['server', 'serverId'], read: ({ server }) => String(server.id) },
    priceBook: priceBookField,
    ignored: {
      ...rulesField('ignored', ({ id }: FileStorageRow) => id),
      to: 'volumeIgnoreRules',
      read: ({ volumeIgnoreRules }) => pathsOf(volumeIgnoreRules),
    },
    foldersOnly: {
      ...rulesField('foldersOnly', ({ id }: FileStorageRow) => id),
      to: 'volumeIndexFolderOnlyPaths',
      read: ({ volumeIndexFolderOnlyPaths }) => pathsOf(volumeIndexFolderOnlyPaths),
    },
    scanType: {
      label: 'Scan Type',
      description: threadsDescription,
      kind: 'radio',
      options: scanTypeOptions,
      initial: 'VOLUME_MULTITHREAD' as FileStorageDraft['scanType'],
      foldedUnder,
    },
    sizeBasis: { ...sizeBasisField, foldedUnder },
    policies: {
      label: 'Policies may',
      description:
        'The agent must allow it, too, for its own folders: AGENT_MAY_CHANGE and, to delete, AGENT_MAY_DELETE.',
      kind: 'select',
      options: policyActions.map((value) => ({ value, label: policyActionLabels[value] })),
      initial: 'nothing' as FileStorageDraft['policyActions'],
      to: ['policyActions'],
      read: ({ policyActions }) => policyActions,
      isShown: ({ mountType }) => !isShare(mountType),
    },
    ...paceOfLookups.rows,
  },
  draft({ agent, includesMounted, policies, followsChanges, readMedia, ...mount }, edited) {
    const name = edited === 'new' ? chosenName(mount) : mount.name
    return isShare(mount.mountType)
      ? { dataintellName: name, serverId: Number(agent), ...mountOf({ ...mount, mountType: mount.mountType }) }
      : {
          name,
          server: { id: Number(agent) },
          includesMountedFileSystems: includesMounted,
          policyActions: policies,
          followsChanges,
          readMedia,
        }
  },
  saved: ({ name }) => `${name.trim()} was updated`,
})

export type FileStorageFields = typeof fileStorageForm.fields

/** Has the agent check the folder of a storage; that of an edited one only if it was changed. */
export const folderConnection: Connection<FileStorageFields, FileStorageRow> = {
  keyOf: (fields) => [folderOf(fields), fields.ignored],
  async check(fields, edited) {
    const volumeId = edited === 'new' ? null : edited.id
    const body = folderOf(fields, volumeId)
    const before = edited !== 'new' && folderOf(fileStorageForm.initial(edited), volumeId)
    const isSame = JSON.stringify(body) === JSON.stringify(before)
    return body === undefined || isSame ? {} : problemsOf(await call(folderCheck, { body }), fields)
  },
}
