import { NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { OptionsOf } from '#events/actions/actions.ts'
import { iconikCollections, iconikStorages } from '#events/actions/iconik.ts'
import { transferStorages } from '#events/actions/transfers.ts'
import { useRemote } from '#client/app/remote.ts'
import { clientKey, planKey, useClients, usePlans } from '#client/parts/actions/archiware/archiwareChoices.ts'
import { archiveOptions } from '#client/parts/actions/archiware/ArchiveWizard.tsx'
import { ClientStep } from '#client/parts/actions/archiware/ClientStep.tsx'
import { type ArchiveFields, PlanStep } from '#client/parts/actions/archiware/PlanStep.tsx'
import {
  TargetStep as IconikTarget,
  type TargetFields as IconikFields,
} from '#client/parts/actions/iconik/TargetStep.tsx'
import { actionLabels, type TransferAction } from '#client/parts/actions/transfers/ActionStep.tsx'
import { isTargetPath, type TargetFields, TargetStep } from '#client/parts/actions/transfers/TargetStep.tsx'
import { transferJob } from '#client/parts/actions/transfers/TransferWizard.tsx'
import { choicesOf, type InputProps } from '#client/parts/settings-table/form.ts'

type OptionsProps<A extends 'archive' | 'transfer' | 'upload'> = InputProps<OptionsOf<A> | null>

const Options = ({ error, children }: { error: ReactNode; children: ReactNode }) => (
  <div className="stack gap-16">
    {children}
    {error && (
      <p className="critical small" role="alert">
        {error}
      </p>
    )}
  </div>
)

/** Plan and client of Archiware P5, as in the wizard. */
export function ArchiveInput({ value, onChange, error }: OptionsProps<'archive'>) {
  const [fields, setFields] = useState<ArchiveFields>({
    plan: value ? `${value.credentialsId} ${value.serverId} ${value.planId}` : '',
    client: value ? `${value.credentialsId} ${value.clientId}` : '',
    location: value?.indexroot ?? '',
    deltaScanAfter: value?.deltaScanAfter ?? false,
  })
  const plans = usePlans()
  const planOf = (key: string) => plans.data?.find((plan) => planKey(plan) === key)
  const clients = useClients(planOf(fields.plan)?.credentialsId)
  const change = (fields: ArchiveFields) => {
    const plan = planOf(fields.plan)
    const client = clients.data?.find((client) => clientKey(client) === fields.client)
    setFields(fields)
    onChange(plan && client ? archiveOptions(plan, client, fields) : null)
  }
  return (
    <Options error={error}>
      <PlanStep plans={plans} plan={planOf(fields.plan)} fields={fields} onChange={change} />
      <ClientStep clients={clients} value={fields.client} onChange={(client) => change({ ...fields, client })} />
    </Options>
  )
}

/** Target of a transfer, as in the wizard. */
export function TransferInput({ value, onChange, error }: OptionsProps<'transfer'>) {
  const [action, setAction] = useState<TransferAction>(value?.transferType ?? 'COPY')
  const [fields, setFields] = useState<TargetFields>({
    jobAlias: value?.name ?? '',
    conflictHandling: value?.conflictHandling ?? 'SKIP',
    storage: value?.target.storageId ?? '',
    path: value?.target.path ?? '',
  })
  const storages = useRemote(transferStorages, {})
  const change = (action: TransferAction, fields: TargetFields) => {
    const storage = storages.data?.find(({ id }) => id === fields.storage)
    setAction(action)
    setFields(fields)
    onChange(storage && isTargetPath(fields.path) ? transferJob(action, storage, fields) : null)
  }
  return (
    <Options error={error}>
      <NativeSelect
        label="Transfer action"
        data={choicesOf(actionLabels)}
        value={action}
        onChange={({ currentTarget }) => change(currentTarget.value as TransferAction, fields)}
      />
      <TargetStep storages={storages} fields={fields} onChange={(fields) => change(action, fields)} />
    </Options>
  )
}

/** Storage and collection of Iconik, as in the wizard. */
export function UploadInput({ value, onChange, error }: OptionsProps<'upload'>) {
  const collections = useRemote(iconikCollections, {})
  const storages = useRemote(iconikStorages, {})
  const fields: IconikFields = { collection: value?.collectionId ?? '', storage: value?.storageId ?? '' }
  const change = (fields: IconikFields) => {
    const storage = storages.data?.find(({ id }) => id === fields.storage)
    const collection = collections.data?.find(({ id }) => id === fields.collection)
    onChange(
      storage ? { collectionId: collection?.id ?? null, storageId: storage.id, storageType: storage.method } : null,
    )
  }
  return (
    <Options error={error}>
      <IconikTarget collections={collections} storages={storages} fields={fields} onChange={change} />
    </Options>
  )
}
