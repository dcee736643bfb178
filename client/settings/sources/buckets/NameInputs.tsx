import { Autocomplete, Checkbox, Loader, TextInput } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { bucketNames, factsOf } from '#events/sources/buckets.ts'
import { useRemote } from '#client/app/remote.ts'
import type { BucketFields } from './bucketForm.ts'
import type { BucketForm } from './useBucketForm.ts'
import classes from './Buckets.module.css'

type NameInputsProps = {
  form: BucketForm
  busy: boolean
  /** Fills in the first listed bucket if the name is empty. */
  suggests?: boolean
}

/** The bucket, typed or from those that the credentials may list, and its display name. */
export function NameInputs({ form, busy, suggests = false }: NameInputsProps) {
  const names = useNames(form.values)
  const { type, name } = form.values
  const suggest = useEffectEvent((first: string) => {
    if (suggests && name === '') form.setValues({ name: first, description: first })
  })
  const first = names.data?.[0]
  useEffect(() => {
    if (first !== undefined) suggest(first)
  }, [first])
  return (
    <>
      {factsOf(type).hasPath ? <Path {...{ form, busy }} /> : <BucketName {...{ form, busy, names, suggests }} />}
      <TextInput
        label="DataIntell Name"
        description="Display name in DataIntell"
        disabled={busy}
        {...form.getInputProps('description')}
      />
    </>
  )
}

type InputProps = Pick<NameInputsProps, 'form' | 'busy' | 'suggests'>

/** The Dropbox folder to scan. */
const Path = ({ form, busy }: InputProps) => (
  <>
    <TextInput
      label="Path"
      description="Enter / for the whole Dropbox"
      disabled={busy}
      data-autofocus
      {...form.getInputProps('path')}
    />
    <Checkbox
      label="Team space"
      description="The path begins in the team's space, which has the folders of the team and of its members"
      disabled={busy}
      {...form.getInputProps('teamSpace', { type: 'checkbox' })}
    />
  </>
)

/** The display name follows the name of the bucket until it is edited. */
function BucketName({ form, busy, names, suggests }: InputProps & { names: ReturnType<typeof useNames> }) {
  const { name, description } = form.values
  const change = (to: string) => {
    form.setFieldValue('name', to)
    if (suggests && [name, ''].includes(description)) form.setFieldValue('description', to)
  }
  return (
    <>
      <Autocomplete
        label="Bucket Name"
        description={<NameHelp isAmazon={form.values.type === 'S3'} count={names.data?.length ?? 0} />}
        data={names.data ?? []}
        rightSection={names.loading && <Loader size={16} aria-label="Reading the names of buckets" />}
        openOnFocus={false}
        comboboxProps={{ withinPortal: false }}
        limit={maxListed}
        disabled={busy}
        data-autofocus
        {...form.getInputProps('name')}
        onChange={change}
      />
      {!names.loading && (names.error || names.data?.length === 0) && (
        <output className={classes.notice}>
          No buckets were found with the given information, you can still enter the bucket name manually
          {names.error && <span className={classes.why}>{names.error.message}</span>}
        </output>
      )}
    </>
  )
}

/** Providers may have thousands of buckets, and the agent sends only as many names as fit into its answer. */
const maxListed = 200

const NameHelp = ({ isAmazon, count }: { isAmazon: boolean; count: number }) =>
  [
    isAmazon && 'Or the ARN of an access point.',
    count > maxListed &&
      `Only the first ${maxListed} are listed. Type a part of the name to find others, or the whole name if it is missing.`,
  ]
    .filter(Boolean)
    .join(' ') || null

/** Names of buckets from the provider, once the fields for the request are filled in. */
function useNames({ type, credentials, region, namespace }: BucketFields) {
  const { hasRegion, hasNamespace, hasPath } = factsOf(type)
  const isKnown = !hasPath && credentials !== '' && (!hasRegion || region !== '') && (!hasNamespace || namespace !== '')
  const place = { ...(hasRegion && { region }), ...(hasNamespace && { namespace }) }
  return useRemote(bucketNames, isKnown ? { query: { credentialsId: Number(credentials), ...place } } : undefined)
}
