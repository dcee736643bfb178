import { useState } from 'react'
import type { OptionsOf } from '#events/actions/actions.ts'
import type { ArchiwareClient, ArchiwarePlan } from '#events/sources/archiwares.ts'
import type { ActionContentProps } from '#client/parts/selection/action.ts'
import { ActionWizard } from '#client/parts/actions/wizard/ActionWizard.tsx'
import {
  archivable,
  chosenOf,
  clientKey,
  deletedBy,
  planKey,
  startFailure,
  useClients,
  usePlans,
} from './archiwareChoices.ts'
import { ClientStep } from './ClientStep.tsx'
import { type ArchiveFields, DeletionWarning, planRows, PlanStep } from './PlanStep.tsx'

const texts = { started: 'A job for archiving the selection is now running.', failure: startFailure }

/** Archives the selection with a plan of Archiware P5. */
export function ArchiveWizard({ target, onClose }: ActionContentProps) {
  const [fields, setFields] = useState<ArchiveFields>({ plan: '', client: '', location: '', deltaScanAfter: false })
  const plans = usePlans()
  const plan = chosenOf(plans.data, planKey, fields.plan)
  const clients = useClients(plan?.credentialsId)
  const client = plan && chosenOf(clients.data, clientKey, fields.client)
  const deleted = plan && deletedBy(plan)
  return (
    <ActionWizard
      title="Archive with Archiware P5"
      verb="Archive"
      target={target}
      rule={archivable}
      steps={[
        {
          title: 'Select Plan',
          chosen: plan?.planName,
          isValid: plan !== undefined,
          content: <PlanStep plans={plans} plan={plan} fields={fields} onChange={setFields} />,
        },
        {
          title: 'Select Client',
          chosen: client?.clientName,
          isValid: client !== undefined,
          content: (
            <ClientStep
              clients={clients}
              value={client ? clientKey(client) : ''}
              onChange={(key) => setFields({ ...fields, client: key })}
            />
          ),
        },
      ]}
      job={plan && client && { action: 'archive', options: optionsOf(plan, client, fields) }}
      review={plan && client ? reviewOf(plan, client, fields) : []}
      warnings={plan && <DeletionWarning plan={plan} />}
      confirmation={deleted && `Delete the ${deleted} from their storage`}
      texts={texts}
      onClose={onClose}
    />
  )
}

const optionsOf = (
  { planId, server, credentialsId }: ArchiwarePlan,
  { clientName: clientId }: ArchiwareClient,
  { location, deltaScanAfter }: ArchiveFields,
): OptionsOf<'archive'> => ({
  planId,
  clientId,
  serverId: server.id,
  credentialsId,
  meta: [],
  indexroot: isBlank(location) ? '' : location,
  deltaScanAfter,
})

const isBlank = (text: string) => text.trim() === ''

const reviewOf = (
  plan: ArchiwarePlan,
  { clientName }: ArchiwareClient,
  { location, deltaScanAfter }: ArchiveFields,
): [string, string][] => [
  ['Plan', plan.planName],
  ...planRows(plan),
  ['Client', clientName],
  ['Location', isBlank(location) ? 'The path of each file' : location],
  ['After the job', deltaScanAfter ? 'Scan the archive index' : 'No scan'],
]
