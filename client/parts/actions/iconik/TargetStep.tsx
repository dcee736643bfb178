import { NativeSelect, Select } from '@mantine/core'
import { useMemo } from 'react'
import { acceptsUploads, type IconikCollection, type IconikStorage } from '#events/actions/iconik.ts'
import { ListFailure } from '#client/parts/actions/wizard/ListFailure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'

/** IDs of the collection and the storage; '' for none. */
export type TargetFields = { collection: string; storage: string }

type TargetStepProps = {
  collections: Loadable<IconikCollection[]>
  storages: Loadable<IconikStorage[]>
  fields: TargetFields
  onChange: (fields: TargetFields) => void
}

/** Selects the storage of Iconik that files are uploaded to, and a collection for their assets. */
export function TargetStep({ collections, storages, fields, onChange }: TargetStepProps) {
  return (
    <>
      <ListFailure {...collections} />
      {collections.data ? (
        <CollectionSelect
          collections={collections.data}
          value={fields.collection}
          onChange={(collection) => onChange({ ...fields, collection })}
        />
      ) : (
        collections.loading && <Skeleton rows={1} />
      )}
      <ListFailure {...storages} />
      {storages.data ? (
        <StorageSelect
          storages={storages.data}
          value={fields.storage}
          onChange={(storage) => onChange({ ...fields, storage })}
        />
      ) : (
        storages.loading && <Skeleton rows={1} />
      )}
    </>
  )
}

type CollectionSelectProps = {
  collections: readonly IconikCollection[]
  value: string
  onChange: (id: string) => void
}

/** Maximum number of options in the list; typing finds the others. */
const maxOptions = 100
/** Stands for no collection, since options need a value. */
const none = 'none'

function CollectionSelect({ collections, value, onChange }: CollectionSelectProps) {
  const options = useMemo(() => [{ value: none, label: 'None' }, ...collectionOptions(collections)], [collections])
  const found = options.some((option) => option.value === value) ? value : none
  return (
    <Select
      label="Collection"
      description="New assets are added to this collection. Type a part of its path to find it."
      data={options}
      value={found}
      searchable
      allowDeselect={false}
      limit={maxOptions}
      nothingFoundMessage="No collection has this name"
      data-takes-enter
      onChange={(id) => onChange(id === null || id === none ? '' : id)}
    />
  )
}

/** Collections by their path; those with the same path have their ID as well. */
function collectionOptions(collections: readonly IconikCollection[]) {
  const labelOf = ({ title, path }: IconikCollection) => path || title
  const counts = new Map<string, number>()
  for (const one of collections) counts.set(labelOf(one), (counts.get(labelOf(one)) ?? 0) + 1)
  return collections.map((one) => {
    const label = labelOf(one)
    return { value: one.id, label: counts.get(label) === 1 ? label : `${label} (${one.id})` }
  })
}

type StorageSelectProps = { storages: readonly IconikStorage[]; value: string; onChange: (id: string) => void }

function StorageSelect({ storages, value, onChange }: StorageSelectProps) {
  const chosen = storages.find(({ id }) => id === value)
  return (
    <NativeSelect
      label="Storage"
      description={chosen && descriptionOf(chosen)}
      data={[{ value: '', label: 'Choose a storage', disabled: true }, ...storageGroups(storages)]}
      value={chosen ? value : ''}
      data-autofocus
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function storageGroups(storages: readonly IconikStorage[]) {
  const methods = [...new Set(storages.map(({ method }) => method))].toSorted()
  return methods.map((method) => ({
    group: acceptsUploads(method) ? method : `${method} (takes no uploads)`,
    items: storages
      .filter((storage) => storage.method === method)
      .map(({ id, name }) => ({ value: id, label: name, disabled: !acceptsUploads(method) })),
  }))
}

const descriptionOf = ({ method, mountPoint }: IconikStorage): string | undefined =>
  method === 'FILE'
    ? `Files below ${mountPoint || 'the mount point of this storage'} are registered where they are, without an upload.`
    : undefined
