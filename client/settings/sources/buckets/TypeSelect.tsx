import { NativeSelect } from '@mantine/core'
import { type BucketType, bucketTypes } from '#events/sources/buckets.ts'
import { sources } from '#events/sources/kinds.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { useDropboxLink } from './GetCode.tsx'
import { ProviderIcon } from './ProviderIcon.tsx'

export const typeLabel = (type: BucketType): string => sources.bucket.types[type]

/** The providers to choose from, including the current one. */
export const typesToChoose = (hasDropbox: boolean, chosen?: BucketType): BucketType[] =>
  (Object.keys(bucketTypes) as BucketType[]).filter((type) => type !== 'DROPBOX' || hasDropbox || type === chosen)

/** Selects a provider of object storage from those that this server supports. */
export function TypeSelect({ value, onChange, ...select }: InputProps<BucketType>) {
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
