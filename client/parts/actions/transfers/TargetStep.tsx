import { ActionIcon, NativeSelect, Select, TextInput } from '@mantine/core'
import { IconFolderSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { type ConflictHandling, conflictHandlings, type TransferStorage } from '#events/actions/transfers.ts'
import { ListFailure } from '#client/parts/actions/wizard/ListFailure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { sizeWords } from '#client/ui/text/size.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { FolderDialog } from './FolderDialog.tsx'

/** Inputs of the step. `storage` is an ID, '' for none. */
export type TargetFields = { jobAlias: string; conflictHandling: ConflictHandling; storage: string; path: string }

type TargetStepProps = {
  storages: Loadable<TransferStorage[]>
  fields: TargetFields
  onChange: (fields: TargetFields) => void
}

/** Selects the target of a transfer, and what happens to files that it has already. */
export function TargetStep({ storages, fields, onChange }: TargetStepProps) {
  const storage = storages.data?.find(({ id }) => id === fields.storage)
  return (
    <>
      <TextInput
        label="Job alias"
        description="Name of the job in the transfer service. Leave empty to name it by its number."
        autoComplete="off"
        maxLength={255}
        value={fields.jobAlias}
        onChange={({ currentTarget }) => onChange({ ...fields, jobAlias: currentTarget.value })}
      />
      <NativeSelect
        label="Conflict handling"
        description="For files that already exist at the target"
        data={Object.entries(conflictHandlings).map(([value, label]) => ({ value, label }))}
        value={fields.conflictHandling}
        onChange={({ currentTarget }) =>
          onChange({ ...fields, conflictHandling: currentTarget.value as ConflictHandling })
        }
      />
      <ListFailure {...storages} />
      {storages.data ? (
        <StorageSelect
          storages={storages.data}
          storage={storage}
          onChange={(id) => onChange({ ...fields, storage: id, path: '/' })}
        />
      ) : (
        storages.loading && <Skeleton rows={1} />
      )}
      <PathField
        key={storage?.id}
        storage={storage}
        path={fields.path}
        onChange={(path) => onChange({ ...fields, path })}
      />
    </>
  )
}

type StorageSelectProps = {
  storages: readonly TransferStorage[]
  storage: TransferStorage | undefined
  onChange: (id: string) => void
}

function StorageSelect({ storages, storage, onChange }: StorageSelectProps) {
  const base = useSizeBase()
  const { capacityUsed: used = null, capacityTotal: total = null } = storage ?? {}
  return (
    <Select
      label="Target storage"
      description={used !== null && total !== null && `${sizeWords(used, base)} of ${sizeWords(total, base)} are used`}
      placeholder="Choose a storage"
      data={groupsOf(storages)}
      value={storage?.id ?? null}
      searchable
      allowDeselect={false}
      nothingFoundMessage={storages.length === 0 ? 'The transfer service has no storages' : 'No storage has this name'}
      data-takes-enter
      onChange={(id) => id !== null && onChange(id)}
    />
  )
}

/** Storages by type, with their account if others have the same name. */
function groupsOf(storages: readonly TransferStorage[]) {
  const types = [...new Set(storages.map(({ type }) => type))].toSorted()
  const counts = new Map<string, number>()
  for (const { name } of storages) counts.set(name, (counts.get(name) ?? 0) + 1)
  const labelOf = ({ id, name, account }: TransferStorage) =>
    counts.get(name) === 1 ? name : `${name} (${account || id})`
  return types.map((type) => ({
    group: type,
    items: storages.filter((one) => one.type === type).map((one) => ({ value: one.id, label: labelOf(one) })),
  }))
}

type PathFieldProps = { storage: TransferStorage | undefined; path: string; onChange: (path: string) => void }

function PathField({ storage, path, onChange }: PathFieldProps) {
  const [isPicking, pick] = useState(false)
  return (
    <>
      <TextInput
        label="Target path"
        description="Folder on the target storage. Copies keep the path of their source below it."
        autoComplete="off"
        disabled={!storage}
        value={path}
        error={path !== '' && !isTargetPath(path) && 'Target path must begin with /'}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        rightSection={
          <ActionIcon
            aria-label="Select target folder"
            title={storage ? 'Select target folder' : 'Choose a storage first'}
            disabled={!storage}
            onClick={() => pick(true)}
          >
            <IconFolderSearch size={16} stroke={1.5} />
          </ActionIcon>
        }
      />
      {isPicking && storage && (
        <FolderDialog
          storageId={storage.id}
          path={isTargetPath(path) ? path : '/'}
          onSelect={(path) => {
            onChange(path)
            pick(false)
          }}
          onClose={() => pick(false)}
        />
      )}
    </>
  )
}

export const isTargetPath = (path: string): boolean => path.startsWith('/')
