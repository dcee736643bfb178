import { paceOfLookups } from '../pace/paceForm.ts'
import { AddSourceWizard, type Review, type SourceWizard } from '../SourceWizard.tsx'
import { createFileStorage, type FileStorageRow, type StorageDraft } from './fileStorageRows.ts'
import { chosenName, type FileStorageFields, fileStorageForm, folderConnection } from './fileStorageForm.tsx'
import { isShare, type MountType } from './folderChecks.ts'
import { createSignIn, networkCredentialsTable, useCredentials } from './networkCredentials.ts'
import { scanTypeLabels } from './scanTypes.ts'

/** Sets up a file storage, step by step. */
export const AddFileStorage = ({ mountType, onClose }: { mountType: MountType; onClose: () => void }) => (
  <AddSourceWizard
    source={newFileStorage}
    known={useCredentials().data}
    initial={{ mountType, path: isShare(mountType) ? '/' : '' }}
    onClose={onClose}
  />
)

const newFileStorage: SourceWizard<FileStorageFields, FileStorageRow, StorageDraft> = {
  title: 'Add File Storage',
  kind: 'fileStorage',
  form: fileStorageForm,
  nameOf: chosenName,
  prepare: createSignIn,
  create: createFileStorage,
  agentHelp: 'The agent that can reach this folder or share',
  credentials: { table: networkCredentialsTable },
  steps: [
    {
      title: 'Configure File Storage',
      inputs: [
        'mountType',
        'host',
        'shareName',
        'credentials',
        'username',
        'password',
        'path',
        'name',
        'options',
        'includesMounted',
        'followsChanges',
        'readMedia',
        'mediaFilesPerSecond',
        'scanType',
        'sizeBasis',
        ...paceOfLookups.names,
      ],
      focus: ['host', 'path'],
      chosen: chosenName,
      connection: folderConnection,
    },
  ],
  review: (fields, { agent, credentials }) => {
    const { mountType, host, shareName, options, path, scanType } = fields
    const ofShare: Review = [
      ['Host', host],
      ['Share Name', shareName],
      ...(mountType === 'SMB'
        ? ([
            ['Credentials', fields.credentials === '' ? fields.username.trim() || 'Guest' : credentials],
          ] satisfies Review)
        : []),
      ['Options', options.trim() || 'None'],
    ]
    return [
      ['Name', chosenName(fields)],
      ['Path', path],
      ['Scan Type', scanTypeLabels[scanType]],
      ['Mount Type', mountType],
      ...(isShare(mountType) ? ofShare : []),
      ['Agent', agent],
      ...paceOfLookups.review(fields),
    ]
  },
}
