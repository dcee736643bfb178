import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import type { BucketType } from '#events/sources/buckets.ts'
import { typesToChoose, typeLabel } from './bucketForm.ts'
import { useDropboxLink } from './GetCode.tsx'
import { ProviderIcon } from './ProviderIcon.tsx'

type TypeSelectProps = Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> & {
  value: BucketType
  onChange: (type: BucketType) => void
}

/** Selects a provider of object storage from those that this server supports. */
export function TypeSelect({ value, onChange, ...select }: TypeSelectProps) {
  const hasDropbox = useDropboxLink() !== undefined
  return (
    <NativeSelect
      data={typesToChoose(hasDropbox, value).map((type) => ({ value: type, label: typeLabel(type) }))}
      leftSection={<ProviderIcon type={value} />}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as BucketType)}
      {...select}
    />
  )
}
