import { Autocomplete, TextInput } from '@mantine/core'
import { type BucketType, factsOf } from '#events/sources/buckets.ts'
import { regionsAt } from '#events/sources/regions.ts'
import { CredentialsSelect } from '../CredentialsSelect.tsx'
import { useBucketCredentials } from './bucketCredentials.tsx'
import { TypeSelect } from './TypeSelect.tsx'
import type { BucketForm } from './useBucketForm.ts'

type ProviderInputsProps = {
  form: BucketForm
  busy: boolean
  /** An existing bucket keeps its type. */
  isFixed?: boolean
  /** Opens a form for new credentials. If undefined, users add them in their table. */
  onNewCredentials?: () => void
}

/** The provider of a bucket, and the credentials for it. */
export function ProviderInputs({ form, busy, isFixed = false, onNewCredentials }: ProviderInputsProps) {
  const { type } = form.values
  const { hasRegion, hasNamespace } = factsOf(type)
  return (
    <>
      <TypeSelect
        label="Cloud"
        disabled={busy || isFixed}
        data-autofocus={!isFixed}
        value={type}
        error={form.errors['type']}
        // Credentials, regions and buckets belong to one provider.
        onChange={(type) => form.setValues({ type, credentials: '', region: '', name: '', path: '' })}
      />
      <Credentials form={form} busy={busy} onNewCredentials={onNewCredentials} />
      {hasRegion && (
        <Autocomplete
          label="Region"
          description="If your region isn't listed, type it."
          data={regionsAt(type).map(({ code }) => code)}
          renderOption={({ option: { value } }) => <RegionOption type={type} code={value} />}
          openOnFocus={false}
          comboboxProps={{ withinPortal: false }}
          disabled={busy}
          {...form.getInputProps('region')}
        />
      )}
      {hasNamespace && (
        <TextInput
          label="Namespace"
          description="Of your tenancy, as the Oracle console shows it"
          disabled={busy}
          {...form.getInputProps('namespace')}
        />
      )}
      {type === 'BACKBLAZE_B2' && <p>Buckets created before May 4th, 2020 are not compatible.</p>}
    </>
  )
}

function RegionOption({ type, code }: { type: BucketType; code: string }) {
  const place = regionsAt(type).find((region) => region.code === code)?.place
  return <span>{place ? `${code} · ${place}` : code}</span>
}

type CredentialsProps = Pick<ProviderInputsProps, 'form' | 'busy'> & { onNewCredentials: (() => void) | undefined }

function Credentials({ form, busy, onNewCredentials }: CredentialsProps) {
  const { data } = useBucketCredentials()
  const known = data && { elements: data.elements.filter(({ type }) => type === form.values.type) }
  const none = known?.elements.length === 0 ? 'There are no credentials yet' : 'Choose credentials'
  return (
    <CredentialsSelect
      known={known}
      none={none}
      onNew={onNewCredentials}
      disabled={busy}
      {...form.getInputProps('credentials')}
    />
  )
}
