import { type Archiware, ArchiwareDraft } from '#events/sources/archiwares.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { paceOfRequests } from '../pace/paceForm.ts'
import { agentField, credentialsField, priceBookField, selected } from '../sourceFields.tsx'
import { useArchiwareCredentials } from './archiwareCredentials.ts'
import { IndexSelect } from './indexNames.tsx'

const indexField = {
  label: 'Archiware Index',
  errorLabel: 'Index id',
  initial: '' as string,
  to: 'indexId',
  read: ({ indexId }: Archiware) => indexId,
  write: (index: string) => index,
} as const

/** Changes an index that is set up. */
export const archiwareForm = describeForm<Archiware, ArchiwareDraft>()({
  schema: ArchiwareDraft,
  checksOnBlur: true,
  fields: {
    agent: agentField,
    credentials: {
      ...credentialsField(useArchiwareCredentials),
      to: 'archiwareP5Credential',
      read: ({ archiwareP5Credential: { id } }) => String(id),
      write: (id) => ({ id: Number(id) }),
      check: selected('Credentials'),
    },
    index: indexField,
    path: { label: 'Path', description: 'The folder of the index that is scanned; / is all of it', initial: '' },
    name: { label: 'DataIntell Name', initial: '' },
    priceBook: priceBookField,
    ...paceOfRequests.rows,
  },
  saved: ({ name }) => `${name.trim()} was updated`,
})

const { rows } = archiwareForm

/** Form of the wizard, where the index is selected from those of the server. */
export const newArchiwareForm = describeForm<Archiware, ArchiwareDraft>()({
  schema: ArchiwareDraft,
  checksOnBlur: true,
  fields: {
    ...rows,
    // Another server has other indexes.
    credentials: { ...rows.credentials, changes: () => ({ index: '' }) },
    index: {
      ...indexField,
      kind: 'own',
      Input: IndexSelect,
      check: (index) => index.trim() === '' && "Index can't be empty",
      changes: (index, { name }) => (name === '' ? { name: index } : {}),
    },
    path: { ...rows.path, placeholder: '/mnt/projects' },
    name: { ...rows.name, label: 'Name' },
  },
})

export type ArchiwareFields = typeof newArchiwareForm.fields
