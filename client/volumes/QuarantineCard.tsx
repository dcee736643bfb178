import { useSnapshot } from 'valtio'
import { quarantined } from '#events/policies/runs.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { counted } from '#client/ui/text/count.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import classes from '#client/parts/volume-analytics/InsightsCard.module.css'

/** Files of a storage in quarantine, and the days on which their space comes free. Not shown without any. */
export function QuarantineCard({ volume: { id, type } }: { volume: DetailedVolume }) {
  const { user } = useSnapshot(session)
  const isShown = type === 'crawl.files' && userMay(user as typeof session.user, 'policies.edit')
  const { data, error, loading, retry } = useRemote(quarantined, isShown ? {} : undefined, 'policies', 'jobs')
  const { base } = useSnapshot(sizeSetting)
  if (error && !loading && data === undefined)
    return (
      <Panel title={title}>
        <InlineFailure error={error} retry={retry} />
      </Panel>
    )
  const found = data?.find(({ volumeId }) => volumeId === id)
  if (!found || found.files === 0) return null
  return (
    <Panel title={title}>
      <ul className={classes.insights}>
        <li>
          {sizeWords(found.bytes, base)} ({counted(found.files, 'file')}), which totals and duplicates leave out.
        </li>
        {found.comesFree.map(({ day, bytes }) => (
          <li key={day}>
            {sizeWords(bytes, base)} come free on {day}.
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const title = 'In quarantine'
