import { useState } from 'react'
import type { OptionsOf } from '#events/actions/actions.ts'
import type { ArchiwareClient, ArchiwarePlan } from '#events/sources/archiwares.ts'
import type { ActionContentProps } from '#client/parts/selection/action.ts'
import { ActionWizard } from '#client/parts/actions/wizard/ActionWizard.tsx'
import {
  archivable,
  clientKey,
  deletedBy,
  lastChosen,
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
  const [fields, setFields] = useState<ArchiveFields>(() => ({
    plan: lastChosen.plan.read(),
    client: lastChosen.client.read(),
    location: '',
    deltaScanAfter: false,
  }))
  const change = (fields: ArchiveFields) => {
    setFields(fields)
    lastChosen.plan.write(fields.plan)
    lastChosen.client.write(fields.client)
  }
  const plans = usePlans()
  const plan = plans.data?.find((plan) => planKey(plan) === fields.plan)
  const clients = useClients(plan?.credentialsId)
  const client = plan && clients.data?.find((client) => clientKey(client) === fields.client)
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
          content: <PlanStep plans={plans} plan={plan} fields={fields} onChange={change} />,
        },
        {
          title: 'Select Client',
          chosen: client?.clientName,
          isValid: client !== undefined,
          content: (
            <ClientStep
              clients={clients}
              value={client ? fields.client : ''}
              onChange={(key) => change({ ...fields, client: key })}
            />
          ),
        },
      ]}
      job={plan && client && { action: 'archive', options: archiveOptions(plan, client, fields) }}
      review={plan && client ? reviewOf(plan, client, fields) : []}
      warnings={plan && <DeletionWarning plan={plan} />}
      confirmation={deleted && `Delete the ${deleted} from their storage`}
      texts={texts}
      onClose={onClose}
    />
  )
}

/** Options of the job for the choices of the steps. */
export const archiveOptions = (
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
