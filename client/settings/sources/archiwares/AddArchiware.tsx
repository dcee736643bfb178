import { SubForm } from '#client/parts/settings-table/SubForm.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { isAgentChoice, lastSteps, saveAll, useAddWizard } from '../addWizard.tsx'
import { withProblems } from '#client/parts/settings-table/connectionCheck.ts'
import { paceOfRequests } from '../pace/paceForm.ts'
import { AgentStep } from '../AgentStep.tsx'
import { CredentialsSelect } from '../CredentialsSelect.tsx'
import { useAgents } from '../useAgents.ts'
import { archiwareCredentialsTable, useArchiwareCredentials } from './archiwareCredentials.ts'
import { type ArchiwareFields, newArchiwareForm } from './archiwareForm.ts'
import { IndexStep, slowText } from './IndexStep.tsx'
import { useIndexNames, useServerProblems } from './useIndexNames.ts'
import { type ArchiwareForm, useNewArchiware } from './useNewArchiware.ts'
import shared from '../Sources.module.css'

/** Adds an index of a P5 server, step by step. */
export function AddArchiware({ onClose }: { onClose: () => void }) {
  const archiware = useCheckedArchiware()
  const { wizard, onSubForm } = useAddWizard(onClose)
  const steps = useSteps(archiware, wizard.at, wizard.hasSubForm, onSubForm)
  const save = () => void saveAll({ wizard, steps, save: archiware.save })
  const { busy } = archiware
  return <Wizard title="Add Archiware P5 Index" {...wizard} steps={steps} savesEarly busy={busy} onSave={save} />
}

/** Form state of an index to add, whose server is checked with its credentials. */
function useCheckedArchiware() {
  const archiware = useNewArchiware()
  const server = useServerProblems(archiware.form)
  return {
    ...archiware,
    form: withProblems(archiware.form, server.problems),
    busy: archiware.busy || server.isChecking,
    server,
  }
}

function useSteps(
  { form, busy, additions, server }: ReturnType<typeof useCheckedArchiware>,
  at: number,
  hasSubForm: boolean,
  onSubForm: (isOpen: boolean) => void,
): WizardStep[] {
  const { values, errors, setFieldValue } = form
  const faults = newArchiwareForm.errors(values)
  const selected = useSelectedNames(values)
  const agentList = useAgents()
  const hasAgentStep = isAgentChoice(agentList)
  const isRead = at >= (hasAgentStep ? 2 : 1)
  const names = useIndexNames(isRead ? values : { ...values, credentials: '' })
  const isIndexValid = indexFields.every((field) => faults[field] === undefined)
  const agentStep: WizardStep = {
    title: 'Select Agent',
    fields: ['agent'],
    chosen: selected.agent,
    isValid: faults['agent'] === undefined && agentList.data !== undefined,
    content: (
      <AgentStep
        description="The agent that can reach the P5 server over the network"
        value={values.agent}
        onChange={(value) => setFieldValue('agent', value)}
        error={errors['agent']}
      />
    ),
  }
  return [
    ...(hasAgentStep ? [agentStep] : []),
    {
      title: 'Select Credentials',
      fields: ['credentials'],
      check: async () => (await server.run()) === undefined,
      onIgnore: server.onIgnore,
      chosen: selected.credentials,
      isValid: faults['credentials'] === undefined,
      content: <CredentialsStep {...{ form, busy, hasSubForm, onSubForm }} isSlow={server.isSlow} />,
    },
    {
      title: 'Configure Archiware P5 Index',
      fields: indexFields,
      chosen: values.name,
      isValid: isIndexValid && names.data !== undefined && !names.loading && !names.error,
      content: <IndexStep form={form} busy={busy} names={names} />,
    },
    ...lastSteps({ form, busy, additions, faults, review: reviewOf(values, selected), onSubForm }),
  ]
}

/** Fields of the step of the index. */
const indexFields = ['index', 'path', 'name', ...Object.keys(paceOfRequests.fields)]

type CredentialsStepProps = {
  form: ArchiwareForm
  busy: boolean
  hasSubForm: boolean
  onSubForm: (isOpen: boolean) => void
  /** The server takes long to answer. */
  isSlow: boolean
}

/** Selects or adds credentials for the P5 server. */
function CredentialsStep({ form, busy, hasSubForm, onSubForm, isSlow }: CredentialsStepProps) {
  const { data: known } = useArchiwareCredentials()
  const created = (id: number) => {
    form.setFieldValue('credentials', String(id))
    onSubForm(false)
  }
  if (hasSubForm)
    return (
      <SubForm
        table={archiwareCredentialsTable}
        what="credentials"
        onCreated={created}
        onCancel={() => onSubForm(false)}
      />
    )
  return (
    <div className={shared.form}>
      <CredentialsSelect
        known={known}
        none={known?.elements.length === 0 ? 'There are no credentials yet' : 'Choose credentials'}
        onNew={() => onSubForm(true)}
        disabled={busy}
        data-autofocus
        {...form.getInputProps('credentials')}
        onChange={({ currentTarget }) => {
          // Another server has other indexes.
          form.setValues({ credentials: currentTarget.value, index: '' })
        }}
      />
      {isSlow && <output>{slowText}</output>}
    </div>
  )
}

/** Names of the selected rows; undefined until loaded. */
function useSelectedNames({ agent, credentials }: ArchiwareFields) {
  const { data: agents } = useAgents()
  const { data: known } = useArchiwareCredentials()
  return {
    agent: agents?.elements.find(({ id }) => String(id) === agent)?.name,
    credentials: known?.elements.find(({ id }) => String(id) === credentials)?.name,
  }
}

const reviewOf = (
  fields: ArchiwareFields,
  { agent, credentials }: ReturnType<typeof useSelectedNames>,
): [string, string | undefined][] => [
  ['Agent', agent],
  ['Credentials', credentials],
  ['Archiware Index', fields.index],
  ['Path', fields.path],
  ['Name', fields.name],
  ...paceOfRequests.review(fields),
]
