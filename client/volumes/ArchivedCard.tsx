import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { archivedTotals, type ArchivedTotals, type ArchiveState } from '#events/search/archived.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { archiveRule } from '#client/parts/archived/archivedWords.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { counted } from '#client/ui/text/count.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import classes from '#client/parts/volume-analytics/InsightsCard.module.css'

/** Bytes of a storage that an archive index has. Not shown without an index, and for other than file storages. */
export function ArchivedCard({ volume }: { volume: DetailedVolume }) {
  const isLicensed = useLicence()
  const { indexingDate } = useActiveDate()
  const isCompared = groupOfType(volume.type) === 'file' && isLicensed('archiwareP5')
  const { data, error, loading, retry } = useRemote(
    archivedTotals,
    isCompared ? { params: { id: volume.id }, query: { indexingDate } } : undefined,
    'snapshots',
    'volumes',
    'archiwareMappings',
  )
  if (error && !loading && data === undefined)
    return (
      <Panel title={title}>
        <InlineFailure error={error} retry={retry} />
      </Panel>
    )
  return data ? <Totals volume={volume} totals={data} /> : null
}

const title = 'Archived files'

function Totals({ volume, totals }: { volume: DetailedVolume; totals: ArchivedTotals }) {
  const { archived, changed, notArchived, indexes } = totals
  const { base } = useSnapshot(sizeSetting)
  const all = archived.size + changed.size + notArchived.size
  const amount = (state: ArchiveState) => <Amount volume={volume} state={state} totals={totals} />
  return (
    <Panel title={title}>
      <ul className={classes.insights}>
        <li>
          {amount('archived')} of {sizeWords(all, base)} archived, {amount('changed')} changed since,{' '}
          {amount('notArchived')} not archived.
          <small className="muted small block">
            {archiveRule} Indexes: {indexes.join(', ')}.
          </small>
        </li>
      </ul>
    </Panel>
  )
}

/** Bytes in a state, with a link to the files if there are any. */
function Amount({ volume, state, totals }: { volume: DetailedVolume; state: ArchiveState; totals: ArchivedTotals }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const { count, size } = totals[state]
  const text = sizeWords(size, base)
  if (count === 0) return text
  return (
    <Link href={links.search({ volumeId: [String(volume.id)], archived: state })} title={counted(count, 'file')}>
      {text}
    </Link>
  )
}
