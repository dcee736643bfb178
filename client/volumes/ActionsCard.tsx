import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { type CheckedAction, checkedActions } from '#events/actions/checked.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { jobTypeLabels } from '#events/jobs/types.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { checkedText } from './checkedText.ts'
import classes from '#client/parts/volume-analytics/InsightsCard.module.css'

/** Actions on files of a storage, with the findings of scans since. Not shown without any. */
export function ActionsCard({ volume: { id } }: { volume: DetailedVolume }) {
  const { data, error, loading, retry } = useRemote(checkedActions, { params: { id } }, 'snapshots', 'volumes', 'jobs')
  if (error && !loading && data === undefined)
    return (
      <Panel title={title}>
        <InlineFailure error={error} retry={retry} />
      </Panel>
    )
  if (!data?.length) return null
  return (
    <Panel title={title}>
      <ul className={classes.insights}>
        {data.map((action) => (
          <ActionLine key={action.jobId} action={action} />
        ))}
      </ul>
    </Panel>
  )
}

const title = 'Actions checked by scans'

function ActionLine({ action }: { action: CheckedAction }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  return (
    <li>
      <Link href={links.jobs(action.jobId)}>
        {jobTypeLabels[action.type]} {action.jobId}
      </Link>
      , {checkedText(action, base)}
    </li>
  )
}
