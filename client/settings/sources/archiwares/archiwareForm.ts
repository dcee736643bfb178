import { type Archiware, ArchiwareDraft } from '#events/sources/archiwares.ts'
import { defineForm } from '#client/app/defineForm.ts'
import type { TableForm } from '#client/parts/settings-table/form.ts'
import { paceOfRequests, type PaceFields } from '../pace/paceForm.ts'
import {
  agentInput,
  credentialsInput,
  newSource,
  priceBookInput,
  selectionErrors,
  sourceDraft,
  type SourceFields,
  sourceInputFor,
  sourceLabels,
  sourceOf,
} from '../sourceInputs.tsx'
import { useArchiwareCredentials } from './archiwareCredentials.ts'

export type ArchiwareFields = SourceFields & PaceFields & { index: string; path: string; name: string }

/** Changes an index that is set up. */
export const archiwareForm: TableForm<Archiware, ArchiwareFields, ArchiwareDraft> = {
  opens: {
    at: 'dialog',
    title: (edited) => (edited === 'new' ? 'Add Archiware P5 Index' : `Edit ${edited.name}`),
    saves: () => 'Save index',
  },
  checksOnBlur: true,
  inputs: [
    agentInput,
    credentialsInput(useArchiwareCredentials),
    { name: 'index', label: 'Archiware Index' },
    { name: 'path', label: 'Path', description: 'The folder of the index that is scanned; / is all of it' },
    { name: 'name', label: 'DataIntell Name' },
    priceBookInput,
  ],
  folded: paceOfRequests.folded,
  schema: ArchiwareDraft,
  fields: { ...newSource, index: '', path: '', name: '', ...paceOfRequests.fields },
  fromRow: ({ indexId, path, name, ...archiware }) => ({
    ...sourceOf(archiware, archiware.archiwareP5Credential),
    index: indexId,
    path,
    name,
    ...paceOfRequests.fromRow(archiware.pace),
  }),
  toDraft: ({ index, path, name, ...fields }) => ({
    ...sourceDraft(fields),
    indexId: index,
    path,
    name,
    archiwareP5Credential: { id: Number(fields.credentials) },
    pace: paceOfRequests.toDraft(fields),
  }),
  inputFor: { ...sourceInputFor, indexId: 'index', archiwareP5Credential: 'credentials', ...paceOfRequests.inputFor },
  labels: {
    ...sourceLabels,
    name: 'DataIntell Name',
    'archiwareP5Credential.id': 'Credentials',
    ...paceOfRequests.labels,
  },
  check: (fields) => ({ ...selectionErrors(fields), ...paceOfRequests.check(fields) }),
  saved: ({ name }) => `${name.trim()} was updated`,
}

/** Form of the wizard, which names two fields differently. */
export const newArchiwareForm = defineForm<ArchiwareFields, ArchiwareDraft, Archiware>({
  ...archiwareForm,
  check: (fields) => ({
    ...selectionErrors(fields),
    ...paceOfRequests.check(fields),
    index: fields.index.trim() === '' && "Index can't be empty",
    name: fields.name.trim() === '' && "Name can't be empty",
  }),
})
