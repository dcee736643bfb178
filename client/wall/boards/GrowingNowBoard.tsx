import { ageText } from '#client/ui/text/duration.ts'
import { useNow } from '#client/ui/values/clock.ts'
import { useGrowingNow } from '#client/wall/useWallData.ts'
import { CountFigure, SizeFigure, useSizeText, WallFigure } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import classes from './Boards.module.css'

/** Folders of live storages that grow now, fastest first. */
export function GrowingNowBoard() {
  const { data } = useGrowingNow()
  const folders = data?.folders
  const sum = (of: 'bytesPerMinute' | 'filesPerMinute') =>
    folders && Math.round(folders.reduce((total, folder) => total + folder[of], 0))
  const age = useNow() - (data?.asOf ?? NaN)
  return (
    <>
      <dl className={classes.figures}>
        <SizeFigure label="Per minute" of={sum('bytesPerMinute')} note="Average of 5 minutes" />
        <CountFigure label="Files per minute" of={sum('filesPerMinute')} />
        <WallFigure label="Last change" value={Number.isNaN(age) ? '-' : ageText(age)} note="ago" />
      </dl>
      <WallList
        title="Folders that grow now"
        rows={folders}
        rowKey={({ volumeId, path }) => `${volumeId} ${path}`}
        empty="Nothing grows right now"
      >
        {({ volumeName, path, owner, bytesPerMinute }) => (
          <>
            <span className={classes.name}>{path}</span>
            <span className={classes.place}>{[volumeName, owner].filter(Boolean).join(', ')}</span>
            <Rate bytes={bytesPerMinute} />
          </>
        )}
      </WallList>
    </>
  )
}

function Rate({ bytes }: { bytes: number }) {
  const { value, unit } = useSizeText()(bytes)
  return (
    <span className={classes.detail}>
      {value} {unit}/min
    </span>
  )
}
