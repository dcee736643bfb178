import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { isAgentChoice, lastSteps, saveAll, useAddWizard, useNewSource } from '../../addWizard.tsx'
import { AgentStep } from '../../AgentStep.tsx'
import { withProblems } from '#client/parts/settings-table/connectionCheck.ts'
import { paceOfLookups } from '../../pace/paceForm.ts'
import { useAgents } from '../../useAgents.ts'
import { createFileStorage } from '../fileStorageCalls.ts'
import { type FileStorageFields, fileStorageForm, isShare } from '../fileStorageForm.ts'
import { useFolderProblems } from '../folderChecks.ts'
import { useCredentials } from '../networkCredentials.ts'
import { scanTypeLabels } from '../scanTypes.ts'
import { ConfigureStep } from './ConfigureStep.tsx'

/** Sets up a file storage, step by step. */
export function AddFileStorage({ onClose }: { onClose: () => void }) {
  const storage = useNewFileStorage()
  const { wizard, onSubForm } = useAddWizard(onClose)
  const steps = useSteps(storage, wizard.hasSubForm, onSubForm)
  const save = () => void saveAll({ wizard, steps, save: storage.save })
  return <Wizard title="Add File Storage" {...wizard} steps={steps} savesEarly busy={storage.busy} onSave={save} />
}

/** Form state of a file storage to add, whose folder is checked before the next step. */
function useNewFileStorage() {
  const storage = useNewSource({
    kind: 'fileStorage',
    form: fileStorageForm,
    nameOf: ({ name }) => name,
    create: (_, fields) => createFileStorage(fields),
  })
  const folder = useFolderProblems(storage.form)
  return {
    ...storage,
    form: withProblems(storage.form, folder.problems),
    busy: storage.busy || folder.isChecking,
    folder,
  }
}

type NewFileStorage = ReturnType<typeof useNewFileStorage>

function useSteps(storage: NewFileStorage, hasSubForm: boolean, onSubForm: (isOpen: boolean) => void): WizardStep[] {
  const { form, busy, additions, folder } = storage
  const { values, errors, setFieldValue } = form
  const names = useSelectedNames(values)
  const agentList = useAgents()
  const hasAgentStep = isAgentChoice(agentList)
  const faults = fileStorageForm.errors(values)
  const { agent, priceBook, ...configured } = faults
  const agentStep: WizardStep = {
    title: 'Select Agent',
    fields: ['agent'],
    chosen: names.agent,
    isValid: !agent && agentList.data !== undefined,
    content: (
      <AgentStep
        description="The agent that can reach this folder or share"
        value={values.agent}
        onChange={(value) => setFieldValue('agent', value)}
        error={errors['agent']}
      />
    ),
  }
  return [
    ...(hasAgentStep ? [agentStep] : []),
    {
      title: 'Configure File Storage',
      fields: Object.keys(values).filter((field) => field !== 'agent' && field !== 'priceBook'),
      chosen: values.name,
      isValid: Object.keys(configured).length === 0,
      check: async () => (await folder.run()) === undefined,
      onIgnore: folder.onIgnore,
      content: <ConfigureStep form={form} busy={busy} isAddingCredentials={hasSubForm} onSubForm={onSubForm} />,
    },
    ...lastSteps({ form, busy, additions, faults, review: reviewOf(values, names), onSubForm }),
  ]
}

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
    ...paceOfLookups.review(fields),
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
