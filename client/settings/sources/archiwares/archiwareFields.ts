import { builtInAgent } from '#events/agents.ts'
import { type Archiware, ArchiwareDraft } from '#events/sources/archiwares.ts'
import { type Labels, checkedBy } from '#client/app/form.ts'

/** The fields of the forms. Ids are text, and '' where nothing is selected. */
export type ArchiwareFields = {
  agent: string
  credentials: string
  index: string
  path: string
  name: string
  priceBook: string
}

export const newArchiware: ArchiwareFields = {
  agent: String(builtInAgent),
  credentials: '',
  index: '',
  path: '',
  name: '',
  priceBook: '',
}

export const fieldsOf = (archiware: Archiware): ArchiwareFields => ({
  agent: String(archiware.serverId),
  credentials: String(archiware.archiwareP5Credential.id),
  index: archiware.indexId,
  path: archiware.path,
  name: archiware.name,
  priceBook: String(archiware.storagePrice?.id ?? ''),
})

/** The draft to send. Without an agent it uses the built-in one. */
export const draftOf = ({ agent, credentials, index, path, name, priceBook }: ArchiwareFields) => ({
  indexId: index,
  path,
  name,
  archiwareP5Credential: { id: Number(credentials) },
  storagePrice: { id: Number(priceBook) },
  serverId: agent === '' ? builtInAgent : Number(agent),
})

export const labels: Labels = {
  name: 'DataIntell Name',
  serverId: 'Agent',
  'archiwareP5Credential.id': 'Credentials',
  'storagePrice.id': 'Price Book',
}

const fieldsOfCall: Record<string, keyof ArchiwareFields> = {
  indexId: 'index',
  serverId: 'agent',
  archiwareP5Credential: 'credentials',
  storagePrice: 'priceBook',
}

/** The field of a form that shows the message for a field of the call. */
export const shownAt = (field: string): string => {
  const [first = ''] = field.split('.')
  return fieldsOfCall[first] ?? first
}

/** Error messages by field. */
export function archiwareErrors(fields: ArchiwareFields): Record<string, string> {
  const errors = Object.entries(checkedBy(ArchiwareDraft, labels)(draftOf(fields)))
  return {
    ...Object.fromEntries(errors.map(([field, message]) => [shownAt(field), message])),
    ...(fields.agent === '' && { agent: "Agent can't be empty" }),
    ...(fields.credentials === '' && { credentials: "Credentials can't be empty" }),
    ...(fields.priceBook === '' && { priceBook: "Price Book can't be empty" }),
  }
}

/** Error messages of the wizard, which names two fields differently. */
export function wizardErrors(fields: ArchiwareFields): Record<string, string> {
  return {
    ...archiwareErrors(fields),
    ...(fields.index.trim() === '' && { index: "Index can't be empty" }),
    ...(fields.name.trim() === '' && { name: "Name can't be empty" }),
  }
}
