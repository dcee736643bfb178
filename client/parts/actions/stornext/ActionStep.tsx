import { Radio } from '@mantine/core'
import { useSnapshot } from 'valtio'
import type { Needs } from '#events/contract/needs.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { session, userMay } from '#client/app/session.state.ts'
import type { ItemRule } from '#client/parts/actions/wizard/validItems.ts'
import { FetchFailure } from '#client/ui/feedback/FetchFailure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import classes from './StorageManager.module.css'

export type StorageManagerAction = 'archive' | 'restore'
type ActionChoice = { action: StorageManagerAction; label: string; description: string; needs: Needs }

const choices: ActionChoice[] = [
  {
    action: 'archive',
    label: 'Archive',
    description: 'Stores the files on the media of Quantum StorNext',
    needs: 'storNext.archive',
  },
  {
    action: 'restore',
    label: 'Restore',
    description: 'Retrieves the files from the media of Quantum StorNext',
    needs: 'storNext.restore',
  },
]

/** Actions that the user may start. */
export function useAllowedActions(): ActionChoice[] {
  const user = useSnapshot(session).user as CurrentUser | undefined
  return choices.filter(({ needs }) => userMay(user, needs))
}

type ActionStepProps = {
  allowed: readonly ActionChoice[]
  storages: Loadable<ItemRule>
  value: StorageManagerAction | undefined
  onChange: (action: StorageManagerAction) => void
}

/** Selects what the Storage Manager does with the selection. */
export function ActionStep({ allowed, storages, value, onChange }: ActionStepProps) {
  const { error, loading, retry } = storages
  const focused = value ?? allowed[0]?.action
  return (
    <>
      {error && !loading && <FetchFailure error={error} message={error.message} retry={retry} />}
      <Radio.Group label="Action" value={value ?? null} onChange={(action) => onChange(action as StorageManagerAction)}>
        <div className={classes.choices}>
          {allowed.map(({ action, label, description }) => (
            <Radio
              key={action}
              value={action}
              label={label}
              description={description}
              {...(action === focused && { 'data-autofocus': true })}
            />
          ))}
        </div>
      </Radio.Group>
    </>
  )
}
