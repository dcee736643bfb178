import { useState } from 'react'
import type { ArchiwareClient, ArchiwarePlan } from '#events/sources/archiwares.ts'
import { fullPaths } from '#client/parts/actions/actionTarget.ts'
import type { ActionContentProps } from '#client/parts/actions/selectionAction.ts'
import { ActionWizard, type PlanRequest } from '#client/parts/actions/wizard/ActionWizard.tsx'
import { archivable, clientKey, deletedBy, planKey, startFailure, useClients, usePlans } from './archiwareChoices.ts'
import { ClientStep } from './ClientStep.tsx'
import { type ArchiveFields, DeletionWarning, planRows, PlanStep } from './PlanStep.tsx'

const texts = { started: 'A job for archiving the selection is now running.', failure: startFailure }

/** Archives the selection with a plan of Archiware P5. */
export function ArchiveWizard({ target, onClose }: ActionContentProps) {
  const [at, onStep] = useState(0)
  const [fields, setFields] = useState<ArchiveFields>({ plan: '', client: '', location: '', deltaScanAfter: false })
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
      at={at}
      onStep={onStep}
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
              value={client ? fields.client : ''}
              onChange={(key) => setFields({ ...fields, client: key })}
            />
          ),
        },
      ]}
      request={(entries) => plan && client && requestOf(target.selection, fullPaths(entries), { plan, client, fields })}
      review={plan && client ? reviewOf(plan, client, fields) : []}
      warnings={plan && <DeletionWarning plan={plan} />}
      confirmation={deleted && `Delete the ${deleted} from their storage`}
      texts={texts}
      onClose={onClose}
    />
  )
}

type Choices = { plan: ArchiwarePlan; client: ArchiwareClient; fields: ArchiveFields }

function requestOf(
  selection: ActionContentProps['target']['selection'],
  dataIntellPaths: string[],
  { plan, client, fields }: Choices,
): PlanRequest {
  const archived = {
    planId: plan.planId,
    clientId: client.clientName,
    serverId: plan.server.id,
    credentialsId: plan.credentialsId,
    meta: [],
    indexroot: isBlank(fields.location) ? '' : fields.location,
    deltaScanAfter: fields.deltaScanAfter,
  }
  if ('entries' in selection) return { jobType: 'ARCHIVE_ARCHIWARE_FILES', payload: { ...archived, dataIntellPaths } }
  return { jobType: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT', payload: { ...archived, ...selection } }
}

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
