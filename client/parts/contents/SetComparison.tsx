import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import type { SetContents } from '#events/actions/contents.ts'
import type { Entry } from '#events/entries.ts'
import { WrittenCriteria } from '#events/search/criteria.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { useLinks } from '#client/app/links.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { CompareWizard } from '#client/parts/actions/contents/CompareWizard.tsx'
import type { ActionTarget } from '#client/parts/selection/action.ts'
import { reclaimableText } from '#client/parts/duplicates/duplicateWords.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { contentText, setText } from './contentWords.ts'
import type { Contents } from './useContents.ts'
import classes from './SetComparison.module.css'

type SetComparisonProps = { entry: Entry; contents: Contents; indexingDate: string | undefined }

/** Result of comparing the contents of a file's duplicates, and the button that compares them. */
export function SetComparison({ entry, contents, indexingDate }: SetComparisonProps) {
  const user = useSnapshot(session).user as CurrentUser | undefined
  const [isOpen, setOpen] = useState(false)
  // Only objects in buckets have an ETag.
  if (entry.eTag !== '') return <p className={classes.text}>Contents of buckets can't be compared.</p>
  const set = contents.data?.get(entry.identificationHash)
  return (
    <section className={classes.comparison} aria-label="Contents">
      <Result entry={entry} set={set} contents={contents} />
      {userMay(user, 'contents.compare') && (
        <Button
          variant="default"
          size="compact-sm"
          disabled={set !== undefined && set.jobId !== null}
          onClick={() => setOpen(true)}
        >
          Compare contents
        </Button>
      )}
      {isOpen && <CompareWizard target={targetOf(entry, indexingDate)} onClose={() => setOpen(false)} />}
    </section>
  )
}

type ResultProps = { entry: Entry; set: SetContents | undefined; contents: Contents }

function Result({ entry, set, contents: { data, error, loading, retry } }: ResultProps) {
  const links = useLinks()
  const user = useSnapshot(session).user as CurrentUser | undefined
  if (error && !loading) return <InlineFailure error={error} retry={retry} />
  if (!data) return <Skeleton rows={1} />
  if (!set) return <p className={classes.text}>The contents have not been compared.</p>
  return (
    <div className={classes.text}>
      {set.jobId !== null && (
        <p>
          Contents are being compared.{' '}
          {userMay(user, 'jobs.seeAll') && <Link href={links.jobs(set.jobId)}>{`See job ${set.jobId}`}</Link>}
        </p>
      )}
      {set.files.length > 0 && <SetResult entry={entry} set={set} />}
    </div>
  )
}

function SetResult({ entry, set }: { entry: Entry; set: SetContents }) {
  const { base } = useSnapshot(sizeSetting)
  const own = set.files.find(({ fileId }) => fileId === entry.fileId)
  return (
    <>
      <p>
        {setText(set)}
        {set.verifiedReclaimable > 0 && `; ${reclaimableText(set.verifiedReclaimable, base)} is verified`}
      </p>
      <p>
        {`This file: ${contentText(own, set)}`}
        {own && (
          <>
            , compared <Moment at={own.comparedAt} />
          </>
        )}
      </p>
    </>
  )
}

/** All files of the set. */
const targetOf = ({ identificationHash: value }: Entry, indexingDate: string | undefined): ActionTarget => ({
  selection: {
    isDirectory: false,
    criteria: WrittenCriteria.parse([{ identificationHash: { value } }]),
  },
  indexingDate,
  entries: [],
  totals: { count: 0, size: -1 },
})
