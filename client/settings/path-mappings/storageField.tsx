import { NativeSelect } from '@mantine/core'
import type { ChangeTopic } from '#events/changes.ts'
import type { Call, Endpoint } from '#events/contract/endpoint.ts'
import { groupOfType, type StorageGroup } from '#events/sources/kinds.ts'
import { storages } from '#events/storages.ts'
import { useRemote } from '#client/app/remote.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'

type StorageInput = {
  label: 'File Storage' | 'Storage'
  /** Groups of storages that can be mapped. */
  groups: readonly StorageGroup[]
  /** The call that lists the mappings, and its topic. */
  list: Endpoint
  topic: ChangeTopic
}

type Mapped = { elements: { volumeId: number }[] }

/** Selects a storage without a mapping. The storage of an existing mapping can't be changed. */
export const storageField = ({ label, groups, list, topic }: StorageInput) =>
  ({
    label,
    kind: 'own',
    errorLabel: 'Volume id',
    initial: '' as string,
    to: 'volumeId',
    read: ({ volumeId }: { volumeId: number }) => String(volumeId),
    write: Number,
    isFixed: (edited: unknown) => edited !== 'new',
    propsOf: (edited: { volumeId: number } | 'new') => ({ own: edited === 'new' ? undefined : edited.volumeId }),
    Input: function StorageSelect({ onChange, description: _, own, ...select }: InputProps<string> & { own?: number }) {
      const all = useRemote(storages, { query: { size: 500, sort: 'NAME', direction: 'asc' } }, 'sources')
      const mappings = useRemote(list, { query: { page: 1, size: 1_000 } } as Call<Endpoint>, topic)
      const mapped = mappings.data as Mapped | undefined
      const taken = new Set(mapped?.elements.map(({ volumeId }) => volumeId).filter((id) => id !== own))
      const options = (all.data?.elements ?? [])
        .filter(({ id, type }) => groups.includes(groupOfType(type)) && !taken.has(id))
        .map(({ id, name }) => ({ value: String(id), label: name }))
      const none = { value: '', label: `Choose a ${label.toLowerCase()}`, disabled: true }
      return (
        <NativeSelect
          {...select}
          data={[none, ...(mapped ? options : [])]}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    },
  }) as const
