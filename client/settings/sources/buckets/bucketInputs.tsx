import { Autocomplete, Loader } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'wouter'
import { bucketNames, type BucketType } from '#events/sources/buckets.ts'
import { regionsAt } from '#events/sources/regions.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import classes from './Buckets.module.css'

/** Options are only shown while typing, and inside of the dialog. */
const options = { openOnFocus: false, comboboxProps: { withinPortal: false } }

/** The region of a bucket, typed or from those of its provider. */
export function RegionInput({ type = 'S3', ...input }: InputProps<string> & { type?: BucketType }) {
  const places = Object.fromEntries(regionsAt(type).map(({ code, place }) => [code, place]))
  return (
    <>
      <Autocomplete
        data={Object.keys(places)}
        renderOption={({ option: { value } }) => <span>{[value, places[value]].filter(Boolean).join(' · ')}</span>}
        {...options}
        {...input}
      />
      {type === 'BACKBLAZE_B2' && <p>Buckets created before May 4th, 2020 are not compatible.</p>}
    </>
  )
}

type BucketNameInputProps = InputProps<string> & {
  isAmazon?: boolean
  /** Credentials, region and namespace whose buckets are listed; undefined if something is missing. */
  place?: { credentialsId: number; region?: string; namespace?: string }
  /** Fills in the first listed bucket if the name is empty. */
  suggests?: boolean
}

/** The name of a bucket, typed or from those that the credentials may list. */
export function BucketNameInput({ isAmazon = false, place, suggests = false, ...input }: BucketNameInputProps) {
  const { data, error, loading } = useRemote(bucketNames, place && { query: place })
  const suggest = useEffectEvent((first: string) => {
    if (suggests && input.value === '') input.onChange(first)
  })
  const first = data?.[0]
  useEffect(() => {
    if (first !== undefined) suggest(first)
  }, [first])
  return (
    <>
      <Autocomplete
        {...input}
        {...options}
        description={<NameHelp isAmazon={isAmazon} count={data?.length ?? 0} />}
        data={data ?? []}
        rightSection={loading && <Loader size={16} aria-label="Reading the names of buckets" />}
        limit={maxListed}
      />
      {!loading && (error || data?.length === 0) && (
        <output className={classes.notice}>
          No buckets were found with the given information, you can still enter the bucket name manually
          {error && <span className="muted break block">{error.message}</span>}
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

const QueueHelp = () => (
  <>
    URL of the SQS queue that receives the bucket's event notifications. Screens can then show Now, which has changes
    within seconds. The credentials need sqs:ReceiveMessage and sqs:DeleteMessage. Leave empty to only scan.{' '}
    <Link href={useLinks().help({ page: 'live-storages' })}>Live storages</Link>
  </>
)
export const queueHelp = <QueueHelp />
