import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ActionContentProps } from '#client/parts/selection/action.ts'
import { ActionWizard } from '#client/parts/actions/wizard/ActionWizard.tsx'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { chosenOf, clientKey, restorable, startFailure, useClients } from './archiwareChoices.ts'
import { ClientStep } from './ClientStep.tsx'

const texts = { started: 'A job for restoring the selection is now running.', failure: startFailure }

/** Restores the selection from archive indexes of Archiware P5. */
export function RestoreWizard({ target, onClose }: ActionContentProps) {
  const [key, choose] = useState('')
  const [folder, setFolder] = useState('')
  const clients = useClients()
  const client = chosenOf(clients.data, clientKey, key)
  // Paths of clients are sent as typed.
  const relocate = folder.trim() === '' ? null : folder
  return (
    <ActionWizard
      title="Restore with Archiware P5"
      verb="Restore"
      target={target}
      rule={restorable}
      steps={[
        {
          title: 'Select Client',
          chosen: client?.clientName,
          isValid: client !== undefined,
          content: (
            <ClientStep clients={clients} value={client ? clientKey(client) : ''} onChange={choose}>
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
      job={
        client && {
          action: 'restore',
          options: { clientId: client.clientName, credentialsId: client.credentialsId, relocate },
        }
      }
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
