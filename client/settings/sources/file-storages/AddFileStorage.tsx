import { paceOfLookups } from '../pace/paceForm.ts'
import { AddSourceWizard, type Review, type SourceWizard } from '../SourceWizard.tsx'
import { createFileStorage, type FileStorageRow, type StorageDraft } from './fileStorageRows.ts'
import { type FileStorageFields, fileStorageForm, folderConnection } from './fileStorageForm.tsx'
import { isShare } from './folderChecks.ts'
import { networkCredentialsTable, useCredentials } from './networkCredentials.ts'
import { scanTypeLabels } from './scanTypes.ts'

/** Sets up a file storage, step by step. */
export const AddFileStorage = ({ onClose }: { onClose: () => void }) => (
  <AddSourceWizard source={newFileStorage} known={useCredentials().data} onClose={onClose} />
)

const newFileStorage: SourceWizard<FileStorageFields, FileStorageRow, StorageDraft> = {
  title: 'Add File Storage',
  kind: 'fileStorage',
  form: fileStorageForm,
  nameOf: ({ name }) => name,
  create: createFileStorage,
  agentHelp: 'The agent that can reach this folder or share',
  credentials: { table: networkCredentialsTable },
  steps: [
    {
      title: 'Configure File Storage',
      inputs: [
        'name',
        'mountType',
        'host',
        'shareName',
        'credentials',
        'options',
        'path',
        'includesMounted',
        'scanType',
        'sizeBasis',
        ...paceOfLookups.names,
      ],
      chosen: ({ name }) => name,
      connection: folderConnection,
    },
  ],
  review: (fields, { agent, credentials }) => {
    const { mountType, host, shareName, options, name, path, scanType } = fields
    const ofShare: Review = [
      ['Host', host],
      ['Share Name', shareName],
      ...(mountType === 'SMB'
        ? ([['Credentials', fields.credentials === '' ? 'Guest' : credentials]] satisfies Review)
        : []),
      ['Options', options.trim() || 'None'],
    ]
    return [
      ['Name', name],
      ['Path', path],
      ['Scan Type', scanTypeLabels[scanType]],
      ['Mount Type', mountType],
      ...(isShare(mountType) ? ofShare : []),
      ['Agent', agent],
      ...paceOfLookups.review(fields),
    ]
  },
}
