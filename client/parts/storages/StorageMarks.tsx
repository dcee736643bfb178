import { IconAlertTriangle } from '@tabler/icons-react'
import { hasFailed } from '#events/overview/storageStates.ts'
import { useStorageStates } from '#client/app/storageStates.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { missingCare, scanProblem } from './stateWords.ts'
import classes from './StorageMarks.module.css'

/** Chips after the name of a storage in a list: a failed or missing scan, no schedule, no alert. Empty if all is well. */
export function StorageMarks({ volumeId }: { volumeId: number }) {
  const state = useStorageStates().data?.find((state) => state.volumeId === volumeId)
  if (!state) return null
  const problem = scanProblem(state)
  const missing = missingCare(state)
  if (!problem && !missing) return null
  const isFailed = hasFailed(state)
  const [word = ''] = problem?.split(': ') ?? []
  return (
    <span className={classes.marks}>
      {problem && (
        <Chip {...(isFailed && { icon: IconAlertTriangle })} tone={isFailed ? 'critical' : 'quiet'} title={problem}>
          {word}
        </Chip>
      )}
      {missing && <Chip title="Add it under Settings › Schedules or under Alerts">{missing}</Chip>}
    </span>
  )
}
