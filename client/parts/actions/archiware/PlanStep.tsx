import { Checkbox, TextInput } from '@mantine/core'
import type { ArchiwarePlan } from '#events/sources/archiwares.ts'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { ChoiceStep } from './ChoiceStep.tsx'
import { deletedBy, planKey, type usePlans } from './archiwareChoices.ts'

/** Inputs of the archive wizard. `plan` and `client` are keys, `location` is a folder in the archive index. */
export type ArchiveFields = { plan: string; client: string; location: string; deltaScanAfter: boolean }

type PlanStepProps = {
  plans: ReturnType<typeof usePlans>
  plan: ArchiwarePlan | undefined
  fields: ArchiveFields
  onChange: (fields: ArchiveFields) => void
}

/** Selects the archive plan and its options. */
export function PlanStep({ plans, plan, fields, onChange }: PlanStepProps) {
  return (
    <ChoiceStep
      label="Plan"
      remote={plans}
      none="It seems you have no plans on Archiware. Please verify and try again."
      keyOf={planKey}
      nameOf={({ planName }) => planName}
      placeOf={(choice) => placeOf(choice, plans.data ?? [])}
      value={plan ? planKey(plan) : ''}
      onChange={(key) => onChange({ ...fields, plan: key })}
    >
      {plan && <ReviewList rows={planRows(plan)} />}
      {plan && <DeletionWarning plan={plan} />}
      <TextInput
        label="Location"
        description="Folder in the archive index. Leave empty to archive files under their own path."
        value={fields.location}
        onChange={({ currentTarget }) => onChange({ ...fields, location: currentTarget.value })}
      />
      <Checkbox
        label="Scan the archive index afterwards"
        description="A delta scan of the index starts when the job has ended"
        checked={fields.deltaScanAfter}
        onChange={({ currentTarget }) => onChange({ ...fields, deltaScanAfter: currentTarget.checked })}
      />
    </ChoiceStep>
  )
}

/** Agent of a plan, and its credentials if others list the same plan. */
function placeOf({ planId, server, credentialsId, credentialsName }: ArchiwarePlan, plans: readonly ArchiwarePlan[]) {
  const isListedTwice = plans.some(
    (plan) => plan.planId === planId && plan.server.id === server.id && plan.credentialsId !== credentialsId,
  )
  return [planId, server.name, ...(isListedTwice ? [credentialsName] : [])].join(', ')
}

export const planRows = ({ index, storage, server }: ArchiwarePlan): [string, string][] => [
  ['Archive Index', index],
  ['Storage Pool', storage],
  ['Agent', server.name],
]

/** Warns that the plan removes files from their storage. */
export function DeletionWarning({ plan }: { plan: ArchiwarePlan }) {
  const deleted = deletedBy(plan)
  if (deleted === undefined) return null
  return <Warning>{`The plan ${plan.planName} deletes the ${deleted} from their storage.`}</Warning>
}
