import { folderHistory } from '#events/folders.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { useRemote } from '../app/remote.ts'
import { NoFolder } from '../parts/no-folder/NoFolder.tsx'
import { PreviousDate } from '../parts/previous-date/PreviousDate.tsx'
import { usePreviousDate } from '../parts/previous-date/usePreviousDate.ts'
import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ComparedDates } from './ComparedDates.tsx'
import type { ComparedPlace } from './comparisonAddress.ts'
import { NoEarlier } from './NoEarlier.tsx'
import { OtherDate } from './OtherDate.tsx'
import { PlaceActions } from './PlaceActions.tsx'
import { PlaceTrail } from './PlaceTrail.tsx'
import { title } from './title.ts'
import classes from './Comparison.module.css'

/** A folder, or everything, beside the previous date that the address names, else the usual one. */
export function ComparedFolder({ place }: { place: ComparedPlace }) {
  const { volumeId, path } = place
  const { active } = useActiveDate()
  const compared = usePreviousDate()
  const history = useRemote(
    folderHistory,
    volumeId === undefined ? undefined : { query: { path, volumeId } },
    'snapshots',
  )
  // What there is no snapshot of is not passed on.
  const asked = compared.asked === compared.date ? compared.asked : undefined
  const content = () => {
    if (history.data?.length === 0) return <NoFolder />
    if (!active || !compared.areKnown) return <Skeleton rows={8} />
    const now = active.indexingDate
    if (compared.date === undefined) return <NoEarlier now={now} />
    return (
      <div className={classes.page}>
        <OtherDate asked={compared.asked} previous={compared.date} now={now} choose={compared.choose} />
        <ComparedDates
          place={place}
          dates={{ previous: compared.date, now }}
          older={compared.earlier}
          history={history}
          choose={compared.choose}
        />
      </div>
    )
  }
  return (
    <Page
      title={title}
      leading={compared.date !== undefined && <PreviousDate {...compared} />}
      actions={<PlaceActions place={place} previousDate={asked} />}
      tabs={<PlaceTrail place={place} asked={asked} />}
    >
      {content()}
    </Page>
  )
}
