import { Link, useSearchParams } from 'wouter'
import { withJobsAddress } from './jobsAddress.ts'
import classes from '#client/jobs/Jobs.module.css'

/** Number of a job as a link to its dialog over the same list, for a new tab or the clipboard. */
export function JobLink({ id }: { id: number }) {
  const [search] = useSearchParams()
  const query = withJobsAddress(search, { id: String(id) })
  return (
    <Link href={`/settings/jobs?${query}`} className={classes.id} tabIndex={-1}>
      {id}
    </Link>
  )
}
