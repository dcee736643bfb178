import { useSnapshot } from 'valtio'
import { type FolderStatistics, folderStatistics } from '#events/folders/calls.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { Card } from '#client/ui/Card.tsx'
import { Figure, Figures } from '#client/ui/values/Figure.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { compactCount } from '#client/ui/text/count.ts'
import { dayText } from '#client/ui/text/moment.ts'
import { exactSize, sizeText } from '#client/ui/text/size.ts'
import type { FolderPlace } from '#client/parts/folder-place/folderPlace.ts'
import classes from './Folders.module.css'

/** Number of changes of the folder over all snapshots. */
export function SummaryCard({ place: { volumeId, path } }: { place: FolderPlace }) {
  const statistics = useRemote(folderStatistics, { query: { path, volumeId } }, 'snapshots')
  useFailureToast(statistics.error)
  return (
    <Card title="Summary" note="Values of this folder over all snapshots" remote={statistics}>
      {(statistics) => (
        <div className={classes.summary}>
          <Figures>
            <Sizes {...statistics} />
            {differences(statistics).map(({ label, count, oldest }) => (
              <Figure
                key={label}
                label={label}
                value={count}
                text={compactCount}
                note={oldest && `oldest ${dayText(oldest)}`}
              />
            ))}
          </Figures>
        </div>
      )}
    </Card>
  )
}

function Sizes({ numberOfDifferentSizes, smallestSize, biggestSize }: FolderStatistics) {
  const { base } = useSnapshot(sizeSetting)
  const text = (bytes: number) => sizeText(bytes, base)
  return (
    <>
      <Figure label="Different sizes" value={numberOfDifferentSizes} text={compactCount} />
      <Figure label="Smallest size" value={smallestSize} text={text} exact={exactSize} />
      <Figure label="Largest size" value={biggestSize} text={text} exact={exactSize} />
    </>
  )
}

const differences = (statistics: FolderStatistics) => [
  {
    label: 'Different access dates',
    count: statistics.numberOfDifferentLastAccessDates,
    oldest: statistics.oldestLastAccessDate,
  },
  {
    label: 'Different creation dates',
    count: statistics.numberOfDifferentCreationDates,
    oldest: statistics.oldestCreationDate,
  },
  {
    label: 'Different modified dates',
    count: statistics.numberOfDifferentModifiedDates,
    oldest: statistics.oldestModifiedDate,
  },
  { label: 'Different owners', count: statistics.numberOfDifferentOwners, oldest: null },
  { label: 'Different groups', count: statistics.numberOfDifferentGroups, oldest: null },
]
