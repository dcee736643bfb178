import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import type { Project } from '#events/projects/calls.ts'
import { searchSizes } from '#events/search/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { percentText } from '#client/ui/text/count.ts'
import { exactSize } from '#client/ui/text/size.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { type Insight, insightsOf, searchOfCopies, withOlder } from './insights.ts'
import classes from '#client/parts/volume-analytics/InsightsCard.module.css'

/** Unused and duplicate data, with its cost. */
export function InsightsCard({ project }: { project: Project }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const copies = searchOfCopies(project)
  const indexingDate = project.indexingDate ?? undefined
  const { data } = useRemote(searchSizes, copies && { query: { ...copies, indexingDate } }, 'snapshots')
  return (
    <Panel title="Insights">
      <ul className={classes.insights}>
        {withOlder(insightsOf(project, base, data?.reclaimable)).map(({ older, ...insight }) => (
          <li key={insight.key}>
            <Sentence insight={insight} />
            {older && (
              <>
                {' '}
                <Link href={links.search(older.search)} title={exactSize(older.bytes)}>
                  {older.amount}
                </Link>{' '}
                of them {older.phrase.replace(/^not \w+/, 'not')}
                {older.saving && ` (${older.saving})`}.
              </>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Sentence({ insight }: { insight: Insight }) {
  const links = useLinks()
  const { amount, bytes, phrase, share, search, reclaimable, isLeast, saving, advice, rule } = insight
  if (amount === undefined) return phrase
  return (
    <>
      <Link href={links.search(search)} title={exactSize(bytes)}>
        {amount}
      </Link>{' '}
      {phrase}, {percentText(share)} of the total size
      {reclaimable && `; ${reclaimable}`}
      {saving === undefined ? '.' : `. ${advice} could save ${isLeast ? 'at least' : 'up to'} ${saving}.`}
      {rule && <small className="muted small block">{rule}</small>}
    </>
  )
}
