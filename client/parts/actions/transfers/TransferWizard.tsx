import { useState } from 'react'
import type { OptionsOf } from '#events/actions/actions.ts'
import {
  conflictHandlings,
  sodaMappings,
  transferOptions,
  type TransferStorage,
  transferStorages,
} from '#events/actions/transfers.ts'
import { isPrefix } from '#events/sources/pathMapping.ts'
import { useRemote } from '#client/app/remote.ts'
import type { ActionContentProps } from '#client/parts/selection/action.ts'
import { ActionWizard } from '#client/parts/actions/wizard/ActionWizard.tsx'
import { mappingsQuery, useMappedStorages } from '#client/parts/actions/wizard/useMappedStorages.ts'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { actionLabels, ActionStep, type TransferAction } from './ActionStep.tsx'
import { isTargetPath, type TargetFields, TargetStep } from './TargetStep.tsx'

const texts = {
  started: 'A job for the data transfer is now running.',
  failure: 'Something went wrong while trying to start the data transfer. Please try again.',
}
const rule = 'Only files and folders of storages with a SODA storage path can be transferred.'

/** Copies or moves the selection with the transfer service. */
export function TransferWizard({ target, onClose }: ActionContentProps) {
  const [at, onStep] = useState(0)
  const [action, select] = useState<TransferAction>()
  const [fields, setFields] = useState<TargetFields>({
    jobAlias: '',
    conflictHandling: 'OVERWRITE',
    storage: '',
    path: '',
  })
  const mapped = useMappedStorages(sodaMappings.list, rule)
  const storages = useRemote(transferStorages, {})
  const storage = storages.data?.find(({ id }) => id === fields.storage)
  return (
    <ActionWizard
      title="Transfer"
      verb="Start"
      target={target}
      rule={mapped.data}
      opened={[at, onStep]}
      hasSubForm={at === 0}
      steps={[
        {
          title: 'Select Transfer Action',
          chosen: action && actionLabels[action],
          isValid: action !== undefined,
          content: (
            <ActionStep
              storages={mapped}
              value={action}
              onSelect={(action) => {
                select(action)
                onStep(1)
              }}
            />
          ),
        },
        {
          title: 'Configure Target',
          chosen: storage?.name,
          isValid: storage !== undefined && isTargetPath(fields.path),
          content: <TargetStep storages={storages} fields={fields} onChange={setFields} />,
        },
      ]}
      job={action && storage && { action: 'transfer', options: transferJob(action, storage, fields) }}
      review={[
        ['Action', action && actionLabels[action]],
        ['Job alias', fields.jobAlias.trim() || 'The number of the job'],
        ['Conflict handling', conflictHandlings[fields.conflictHandling]],
        ['Target storage', storage?.name],
        ['Target path', fields.path],
      ]}
      warnings={action === 'MOVE' && <MoveWarning storageId={fields.storage} path={fields.path} />}
      texts={texts}
      onClose={onClose}
    />
  )
}

/** Options of the job for the choices of the steps. */
export const transferJob = (
  transferType: TransferAction,
  { id: storageId, name }: TransferStorage,
  { jobAlias, conflictHandling, path }: TargetFields,
): OptionsOf<'transfer'> => ({
  name: jobAlias.trim(),
  transferType,
  conflictHandling,
  target: { name, path, storageId, isDirectory: true },
})

/** Warns that files are deleted, and by whom; and that an agent can't read their copies in a target without a mapping. */
function MoveWarning({ storageId, path }: { storageId: string; path: string }) {
  const { data } = useRemote(transferOptions, {})
  const mappings = useRemote(sodaMappings.list, { query: mappingsQuery })
  if (!data || !mappings.data) return null
  const isByAgent = data.movesDeletedBy === 'agent'
  const isMapped = mappings.data.elements.some(
    ({ sodaStorageId, sodaPath }) => sodaStorageId === storageId && isPrefix(sodaPath, path),
  )
  return (
    <>
      <Warning>
        {isByAgent
          ? 'The agent deletes each file from its storage after it has verified the copy.'
          : 'The transfer service deletes the files from their storage. DataIntell does not verify the copies first.'}
      </Warning>
      {isByAgent && !isMapped && (
        <Warning>
          No SODA storage path leads to the target, so no agent can read the copies. Files are copied, but only deleted
          if the transfer service lists checksums of their copies.
        </Warning>
      )}
    </>
  )
}
