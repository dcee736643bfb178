import type { ReactNode } from 'react'
import { ChoiceStep } from './ChoiceStep.tsx'
import { clientKey, type useClients } from './archiwareChoices.ts'

type ClientStepProps = {
  clients: ReturnType<typeof useClients>
  value: string
  onChange: (client: string) => void
  children?: ReactNode
}

/** Selects the machine that P5 archives from or restores to. */
export function ClientStep({ clients, value, onChange, children }: ClientStepProps) {
  return (
    <ChoiceStep
      label="Client"
      remote={clients}
      none="It seems you have no client on Archiware. Please verify and try again."
      keyOf={clientKey}
      nameOf={({ clientName }) => clientName}
      placeOf={({ credentialsName }) => credentialsName}
      value={value}
      onChange={onChange}
    >
      {children}
    </ChoiceStep>
  )
}
