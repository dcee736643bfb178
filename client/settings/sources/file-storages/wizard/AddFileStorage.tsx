import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { AgentStep } from '../../AgentStep.tsx'
import { type FileStorageFields, fileStorageForm, isShare } from '../fileStorageForm.ts'
import { useFolderPrecheck } from '../folderChecks.ts'
import { createFileStorage } from '../fileStorageCalls.ts'
import { ConfigureStep } from './ConfigureStep.tsx'
import { lastSteps, useAddWizard, useNewSource } from '../../addWizard.tsx'
import { scanTypeLabels } from '../scanTypes.ts'
import { useAgents } from '../../useAgents.ts'
import { useCredentials } from '../networkCredentials.ts'

/** Sets up a file storage, step by step. */
export function AddFileStorage({ onClose }: { onClose: () => void }) {
  const storage = useNewFileStorage()
  const { wizard, onSubForm } = useAddWizard({ save: storage.save, stepOf, onClose })
  const steps = useSteps(storage, wizard.hasSubForm, onSubForm)
  const verb = storage.refusal === undefined ? 'Save' : 'Save anyway'
  return <Wizard title="Add File Storage" {...wizard} steps={steps} busy={storage.busy} verb={verb} />
}

/** Form state of a file storage to add. */
function useNewFileStorage() {
  const { precheck, refusalOf } = useFolderPrecheck()
  const storage = useNewSource({
    kind: 'fileStorage',
    form: fileStorageForm,
    nameOf: ({ name }) => name,
    precheck,
    create: (_, fields) => createFileStorage(fields),
  })
  return { ...storage, refusal: refusalOf(storage.form.values) }
}

type NewFileStorage = ReturnType<typeof useNewFileStorage>

function useSteps(storage: NewFileStorage, hasSubForm: boolean, onSubForm: (isOpen: boolean) => void): WizardStep[] {
  const { form, busy, additions, refusal } = storage
  const { values, errors, setFieldValue } = form
  const names = useSelectedNames(values)
  const faults = fileStorageForm.errors(values)
  const { agent, priceBook, ...configured } = faults
  return [
    {
      title: 'Select Agent',
      chosen: names.agent,
      isValid: !agent,
      content: (
        <AgentStep
          description="The agent that can reach this folder or share"
          value={values.agent}
          onChange={(value) => setFieldValue('agent', value)}
          error={errors['agent']}
        />
      ),
    },
    {
      title: 'Configure File Storage',
      chosen: values.name,
      isValid: Object.keys(configured).length === 0,
      content: <ConfigureStep form={form} busy={busy} isAddingCredentials={hasSubForm} onSubForm={onSubForm} />,
    },
    ...lastSteps({ form, busy, additions, faults, review: reviewOf(values, names), refusal, onSubForm }),
  ]
}

/** The step of a field. */
const stepOf = (field: string): number => (field === 'agent' ? 0 : field === 'priceBook' ? 2 : 1)

/** Properties of the new file storage. */
function reviewOf(
  fields: FileStorageFields,
  names: ReturnType<typeof useSelectedNames>,
): [string, string | undefined][] {
  const { mountType, host, shareName, options, name, path, scanType } = fields
  const ofShare: [string, string | undefined][] = [
    ['Host', host],
    ['Share Name', shareName],
    ...(mountType === 'SMB' ? [['Credentials', names.credentials] as [string, string | undefined]] : []),
    ['Options', options.trim() || 'None'],
  ]
  return [
    ['Name', name],
    ['Path', path],
    ['Scan Type', scanTypeLabels[scanType]],
    ['Mount Type', mountType],
    ...(isShare(mountType) ? ofShare : []),
    ['Agent', names.agent],
  ]
}

type Selected = Pick<FileStorageFields, 'agent' | 'credentials'>

/** Names of the selected rows; undefined until loaded. */
function useSelectedNames({ agent, credentials }: Selected) {
  const { data: agentList } = useAgents()
  const { data: credentialList } = useCredentials()
  const isSelected =
    (value: string) =>
    ({ id }: { id: number }) =>
      String(id) === value
  return {
    agent: agentList?.elements.find(isSelected(agent))?.name,
    credentials: credentials === '' ? 'Guest' : credentialList?.elements.find(isSelected(credentials))?.name,
  }
}
