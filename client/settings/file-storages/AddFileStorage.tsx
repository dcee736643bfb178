import { useState } from 'react'
import { PriceBookPicker } from '../../parts/price-books/PriceBookPicker.tsx'
import { Wizard, type WizardStep } from '../../ui/Wizard.tsx'
import { AgentStep } from './AgentStep.tsx'
import { ConfigureStep } from './ConfigureStep.tsx'
import { fileStorageErrors } from './fileStorageFields.ts'
import { Review } from './Review.tsx'
import { useChosenNames } from './useChosenNames.ts'
import { type NewFileStorage, useNewFileStorage } from './useNewFileStorage.ts'

/** Sets up a file storage, step by step. */
export function AddFileStorage({ onClose }: { onClose: () => void }) {
  const [at, go] = useState(0)
  const [hasSubForm, setSubForm] = useState(false)
  const storage = useNewFileStorage()
  const steps = useSteps(storage, hasSubForm, setSubForm)
  const save = async () => {
    const refused = await storage.save()
    if (refused === undefined) onClose()
    else if (refused[0] !== undefined) go(stepOf(refused[0]))
  }
  return (
    <Wizard
      title="Add File Storage"
      {...{ steps, at, hasSubForm, onClose }}
      busy={storage.busy}
      onStep={go}
      onSave={() => void save()}
    />
  )
}

function useSteps(storage: NewFileStorage, hasSubForm: boolean, onSubForm: (isOpen: boolean) => void): WizardStep[] {
  const { form, busy, making } = storage
  const { values } = form
  const names = useChosenNames(values, making.made)
  const faults = fileStorageErrors(values)
  const { agent, priceBook, ...configured } = faults
  return [
    { title: 'Select Agent', chosen: names.agent, isValid: !agent, content: <AgentStep form={form} /> },
    {
      title: 'Configure File Storage',
      chosen: values.name,
      isValid: Object.keys(configured).length === 0,
      content: <ConfigureStep form={form} busy={busy} isMakingCredentials={hasSubForm} onSubForm={onSubForm} />,
    },
    {
      title: 'Select Storage Price',
      chosen: names.priceBook,
      isValid: !priceBook,
      content: (
        <PriceBookPicker
          value={values.priceBook}
          onChange={(value) => form.setFieldValue('priceBook', value)}
          error={form.errors['priceBook']}
          making={{ ...making, onOpen: onSubForm }}
        />
      ),
    },
    { title: 'Review', isValid: Object.keys(faults).length === 0, content: <Review fields={values} names={names} /> },
  ]
}

/** The step that a field is in. */
const stepOf = (field: string): number => (field === 'agent' ? 0 : field === 'priceBook' ? 2 : 1)
