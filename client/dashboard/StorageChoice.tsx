import { useSnapshot } from 'valtio'
import type { StorageSize } from '#events/dashboard.ts'
import { groupLabel, volumeName } from '#client/parts/storages/volumeWords.ts'
import { MultiSelect } from '#client/ui/form/MultiSelect.tsx'
import { storageSelection } from './selection.state.ts'

/** Chooses the storages that the figures count, by kind. */
export function StorageChoice({ storages }: { storages: StorageSize[] }) {
  const { leftOut } = useSnapshot(storageSelection)
  return [...Map.groupBy(storages, ({ type }) => groupLabel(type))].map(([kind, members]) => {
    const options = members.map((storage) => ({ value: String(storage.volumeId), label: volumeName(storage) }))
    const values = options.map(({ value }) => value)
    const choose = (chosen: string[]) => {
      const others = storageSelection.leftOut.filter((id) => !values.includes(String(id)))
      storageSelection.leftOut = [...others, ...values.filter((id) => !chosen.includes(id)).map(Number)]
    }
    return (
      <MultiSelect
        key={kind}
        label={`${kind}s`}
        allLabel={`All ${kind.toLowerCase()}s`}
        options={options}
        chosen={values.filter((id) => !leftOut.includes(Number(id)))}
        onChange={choose}
      />
    )
  })
}
