import { useState } from 'react'
import type { ActionPlan } from '#events/actions/plans.ts'
import { storNextMappings } from '#events/actions/storNext.ts'
import type { ActionContentProps } from '#client/parts/selection/action.ts'
import { ActionWizard } from '#client/parts/actions/wizard/ActionWizard.tsx'
import { useMappedStorages } from '#client/parts/actions/wizard/useMappedStorages.ts'
import { ActionStep, type StorageManagerAction, useAllowedActions } from './ActionStep.tsx'
import { RelocateOption, type RelocateOptionProps } from './RelocateOption.tsx'

const texts = {
  started: 'A job for the Storage Manager action is now running.',
  failure: 'Something went wrong while trying to start the Storage Manager job. Please try again.',
}

const rule = 'Only files and folders of storages with a Quantum StorNext path can be archived or restored.'

/** Archives or restores the selection with Quantum StorNext. */
export function StorageManagerWizard({ target, onClose }: ActionContentProps) {
  const allowed = useAllowedActions()
  const [selected, select] = useState<StorageManagerAction>()
  const [relocate, setRelocate] = useState<string | null>(null)
  const storages = useMappedStorages(storNextMappings.list, rule)
  const chosen = allowed.length === 1 ? allowed[0] : allowed.find(({ action }) => action === selected)
  const isRestore = chosen?.action === 'restore'
  return (
    <ActionWizard
      title="Storage Manager"
      verb="Start"
      target={target}
      rule={storages.data}
      steps={[
        {
          title: 'Select Action',
          chosen: chosen?.label,
          isValid: chosen !== undefined,
          content: <ActionStep allowed={allowed} storages={storages} value={chosen?.action} onChange={select} />,
        },
      ]}
      job={chosen && (isRestore ? { action: 'retrieve', options: { relocate } } : { action: 'store', options: {} })}
      review={[
        ['Action', chosen?.label],
        ...(isRestore ? [['Location', relocate ?? 'The original path of each file'] as [string, string]] : []),
      ]}
      options={isRestore ? relocateOption({ relocate, onChange: setRelocate, storages: storages.data }) : undefined}
      texts={texts}
      onClose={onClose}
    />
  )
}

const relocateOption = (props: Omit<RelocateOptionProps, 'files'>) => (plan: ActionPlan | undefined) => (
  <RelocateOption {...props} files={plan?.files} />
)
