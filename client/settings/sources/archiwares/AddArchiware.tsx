import { SubForm } from '#client/parts/settings-table/SubForm.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { lastSteps, useAddWizard } from '../addWizard.tsx'
import { AgentStep } from '../AgentStep.tsx'
import { CredentialsSelect } from '../CredentialsSelect.tsx'
import { useAgents } from '../useAgents.ts'
import { archiwareCredentialsTable, useArchiwareCredentials } from './archiwareCredentials.ts'
import { type ArchiwareFields, newArchiwareForm } from './archiwareForm.ts'
import { IndexStep } from './IndexStep.tsx'
import { useIndexNames } from './useIndexNames.ts'
import { type ArchiwareForm, type NewArchiware, useNewArchiware } from './useNewArchiware.ts'
import shared from '../Sources.module.css'

/** Adds an index of a P5 server, step by step. */
export function AddArchiware({ onClose }: { onClose: () => void }) {
  const archiware = useNewArchiware()
  const { wizard, onSubForm } = useAddWizard({ save: archiware.save, stepOf, onClose })
  const steps = useSteps(archiware, wizard.at, wizard.hasSubForm, onSubForm)
  return <Wizard title="Add Archiware P5 Index" {...wizard} steps={steps} busy={archiware.busy} />
}

const indexStep = 2
const stepOf = (field: string): number =>
  ({ agent: 0, credentials: 1, priceBook: 3 } as Record<string, number>)[field] ?? indexStep

function useSteps(
  { form, busy, additions }: NewArchiware,
  at: number,
  hasSubForm: boolean,
  onSubForm: (isOpen: boolean) => void,
): WizardStep[] {
  const { values, errors, setFieldValue } = form
  const faults = newArchiwareForm.errors(values)
  const selected = useSelectedNames(values)
  const isRead = at >= indexStep
  const names = useIndexNames(isRead ? values : { ...values, credentials: '' })
  const isIndexValid = ['index', 'path', 'name'].every((field) => faults[field] === undefined)
  return [
    {
      title: 'Select Agent',
      chosen: selected.agent,
      isValid: faults['agent'] === undefined,
      content: (
        <AgentStep
          description="The one that reaches the P5 server over the network"
          value={values.agent}
          onChange={(value) => setFieldValue('agent', value)}
          error={errors['agent']}
        />
      ),
    },
    {
      title: 'Select Credentials',
      chosen: selected.credentials,
      isValid: faults['credentials'] === undefined,
      content: <CredentialsStep {...{ form, busy, hasSubForm, onSubForm }} />,
    },
    {
      title: 'Configure Archiware P5 Index',
      chosen: values.name,
      isValid: isIndexValid && names.data !== undefined && !names.loading && !names.error,
      content: <IndexStep form={form} busy={busy} names={names} />,
    },
    ...lastSteps({ form, busy, additions, faults, review: reviewOf(values, selected), onSubForm }),
  ]
}

type CredentialsStepProps = {
  form: ArchiwareForm
  busy: boolean
  hasSubForm: boolean
  onSubForm: (isOpen: boolean) => void
}

/** Selects or adds credentials for the P5 server. */
function CredentialsStep({ form, busy, hasSubForm, onSubForm }: CredentialsStepProps) {
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
  { index, path, name }: ArchiwareFields,
  { agent, credentials }: ReturnType<typeof useSelectedNames>,
): [string, string | undefined][] => [
  ['Agent', agent],
  ['Credentials', credentials],
  ['Archiware Index', index],
  ['Path', path],
  ['Name', name],
]
