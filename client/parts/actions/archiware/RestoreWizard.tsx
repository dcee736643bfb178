import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ArchiwareClient } from '#events/sources/archiwares.ts'
import { fullPaths } from '#client/parts/actions/actionTarget.ts'
import type { ActionContentProps } from '#client/parts/actions/selectionAction.ts'
import { ActionWizard, type PlanRequest } from '#client/parts/actions/wizard/ActionWizard.tsx'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { clientKey, restorable, startFailure, useClients } from './archiwareChoices.ts'
import { ClientStep } from './ClientStep.tsx'

const texts = { started: 'A job for restoring the selection is now running.', failure: startFailure }

/** Restores the selection from archive indexes of Archiware P5. */
export function RestoreWizard({ target, onClose }: ActionContentProps) {
  const [at, onStep] = useState(0)
  const [key, choose] = useState('')
  const [folder, setFolder] = useState('')
  const clients = useClients()
  const client = clients.data?.find((client) => clientKey(client) === key)
  // Paths of clients are sent as typed.
  const relocate = folder.trim() === '' ? null : folder
  return (
    <ActionWizard
      title="Restore with Archiware P5"
      verb="Restore"
      target={target}
      rule={restorable}
      at={at}
      onStep={onStep}
      steps={[
        {
          title: 'Select Client',
          chosen: client?.clientName,
          isValid: client !== undefined,
          content: (
            <ClientStep clients={clients} value={client ? key : ''} onChange={choose}>
              <TextInput
                label="Folder"
                description="Folder on the client. Leave empty to restore files to their original path."
                value={folder}
                onChange={({ currentTarget }) => setFolder(currentTarget.value)}
              />
            </ClientStep>
          ),
        },
      ]}
      request={(entries) => client && requestOf(target.selection, fullPaths(entries), client, relocate)}
      review={[
        ['Client', client?.clientName],
        ['Folder', relocate ?? 'The original path of each file'],
      ]}
      warnings={
        relocate === null && (
          <Warning>{`Files are restored to their original path on ${client?.clientName}, since no folder is given.`}</Warning>
        )
      }
      texts={texts}
      onClose={onClose}
    />
  )
}

function requestOf(
  selection: ActionContentProps['target']['selection'],
  dataIntellPaths: string[],
  { clientName, credentialsId }: ArchiwareClient,
  relocate: string | null,
): PlanRequest {
  const restored = { clientId: clientName, credentialsId, relocate }
  if ('entries' in selection) return { jobType: 'RESTORE_ARCHIWARE_FILES', payload: { ...restored, dataIntellPaths } }
  return { jobType: 'RESTORE_ARCHIWARE_SEARCH_RESULT', payload: { ...restored, ...selection } }
}
