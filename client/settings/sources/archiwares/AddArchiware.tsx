import { Loader } from '@mantine/core'
import { type Archiware, type ArchiwareDraft, archiwares } from '#events/sources/archiwares.ts'
import { call, CallError } from '#client/app/call.ts'
import { paceOfRequests } from '../pace/paceForm.ts'
import { AddSourceWizard, type SourceWizard, type StepContent } from '../SourceWizard.tsx'
import { archiwareCredentialsTable, useArchiwareCredentials } from './archiwareCredentials.ts'
import { type ArchiwareFields, newArchiwareForm } from './archiwareForm.ts'
import { IndexNames, serverConnection, useIndexNames, useSlowness } from './indexNames.tsx'
import shared from '../Sources.module.css'

/** Adds an index of a P5 server, step by step. */
export const AddArchiware = ({ onClose }: { onClose: () => void }) => (
  <AddSourceWizard source={newArchiware} known={useArchiwareCredentials().data} onClose={onClose} />
)

const newArchiware: SourceWizard<ArchiwareFields, Archiware, ArchiwareDraft> = {
  title: 'Add Archiware P5 Index',
  kind: 'archiware',
  form: newArchiwareForm,
  nameOf: ({ name }) => name,
  create: async (body) => (await call(archiwares.create, { body })).id,
  agentHelp: 'The agent that can reach the P5 server over the network',
  credentials: { table: archiwareCredentialsTable },
  steps: [
    {
      title: 'Select Credentials',
      inputs: ['credentials'],
      chosen: (_, { credentials }) => credentials,
      connection: serverConnection,
      Content: CredentialsStep,
    },
    {
      title: 'Configure Archiware P5 Index',
      inputs: ['index', 'path', 'name', ...paceOfRequests.names],
      chosen: ({ name }) => name,
      Content: IndexStep,
      useChoices: useIndexNames,
    },
  ],
  review: (fields, { agent, credentials }) => [
    ['Agent', agent],
    ['Credentials', credentials],
    ['Archiware Index', fields.index],
    ['Path', fields.path],
    ['Name', fields.name],
    ...paceOfRequests.review(fields),
  ],
}

const slowText = 'The request is taking longer than usual, it might be an issue with the Archiware P5 URL.'

function CredentialsStep({ isChecking, children }: StepContent) {
  const isSlow = useSlowness(isChecking)
  return (
    <div className={shared.form}>
      {children}
      {isSlow && <output>{slowText}</output>}
    </div>
  )
}

/** The inputs of the index, once the names of the server's indexes are read. */
function IndexStep({ choices: { data, error, loading }, children }: StepContent) {
  const isSlow = useSlowness(loading)
  if (loading)
    return (
      <output className={shared.form}>
        <Loader size={24} aria-label="Reading the names of indexes" />
        {isSlow && <span>{slowText}</span>}
      </output>
    )
  if (error)
    return (
      <div className={shared.form} role="alert">
        <p className="critical break">
          Something went wrong, please check the inputs in the previous step to see if they're correct
        </p>
        <p>{(error instanceof CallError && error.details) || error.message}</p>
      </div>
    )
  return <IndexNames value={data}>{children}</IndexNames>
}
