import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { placesText, type SeenPlaces } from '#events/users/session.ts'
import type { GrowthPoint } from '#events/wall.ts'
import { session } from '#client/app/session.state.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { changePercent, directionOf, signOf } from '#client/ui/text/change.ts'
import { useActiveProjects, useGrowth, useMostActive } from '#client/wall/useWallData.ts'
import { GrowthArea } from './GrowthArea.tsx'
import { NotKnownYet, WallList } from './WallList.tsx'
import { SizeFigure, WallFigure, useSizeText } from './WallFigure.tsx'
import classes from './Boards.module.css'

const none: never[] = []

/** Maximum rows per list. */
const rowsPerList = 4

/** Growth of all storages over thirty days, and the storages and projects with the largest change. */
export function GrowthBoard() {
  const { data: points } = useGrowth()
  const { data: active } = useMostActive()
  const { data: projects } = useActiveProjects()
  const places = useSnapshot(session).wall as SeenPlaces | undefined
  const hasProjects = projects !== undefined && projects.length > 0
  const last = points?.at(-1)
  return (
    <>
      <dl className={classes.figures}>
        <SizeFigure label="Size of files" of={last?.sizeOfFiles} note={last?.isPartial ? 'partial' : undefined} />
        <Change points={points ?? none} />
      </dl>
      <div className={classes.halves}>
        {!points ? (
          <NotKnownYet />
        ) : places && points.length === 0 ? (
          <p className={classes.empty}>Not available for {placesText(places)}</p>
        ) : (
          <GrowthArea points={points} />
        )}
        <div className={classes.lists}>
          <WallList
            title="Most active storages, 30 days"
            rows={active}
            rowKey={({ id }) => id}
            empty="No storage changed in 30 days"
            {...(hasProjects && { max: rowsPerList })}
          >
            {(volume) => (
              <Variation
                name={volumeName(volume)}
                variation={volume.variation}
                share={volume.variationPercentage === null ? undefined : volume.variationPercentage / 100}
              />
            )}
          </WallList>
          {hasProjects && (
            <WallList
              title="Most active projects, 30 days"
              rows={projects}
              rowKey={({ id }) => id}
              empty="No project changed in 30 days"
              max={rowsPerList}
            >
              {({ name, variation, previousSize }) => (
                <Variation
                  name={name}
                  variation={variation}
                  share={previousSize > 0 ? variation / previousSize : undefined}
                />
              )}
            </WallList>
          )}
        </div>
      </div>
    </>
  )
}

function Change({ points }: { points: readonly GrowthPoint[] }) {
  const text = useSizeText()
  const [first] = points
  const last = points.at(-1)
  if (!first || !last || first === last) return <WallFigure label="Change in 30 days" value="-" />
  const change = last.sizeOfFiles - first.sizeOfFiles
  const { value, unit } = text(Math.abs(change))
  const share = first.sizeOfFiles > 0 && changePercent(change / first.sizeOfFiles)
  return (
    <WallFigure
      label="Change in 30 days"
      value={`${signOf(change)}${value}`}
      unit={unit}
      note={share && `${share} since ${first.indexingDate}`}
    />
  )
}

type VariationProps = {
  name: string
  /** Bytes. */
  variation: number
  /** Relative to the size before, 0 to 1; undefined if that was zero. */
  share: number | undefined
}

function Variation({ name, variation, share }: VariationProps) {
  const text = useSizeText()
  const Arrow = variation < 0 ? IconArrowDown : IconArrowUp
  return (
    <>
      <span className={classes.name}>{name}</span>
      <span className={classes.variation} data-state>
        {variation !== 0 && (
          <Arrow className={classes.sign} data-way={directionOf(variation)} stroke={1.75} aria-hidden />
        )}
        {`${signOf(variation)}${Object.values(text(Math.abs(variation))).join(' ')}`}
      </span>
      <span className={classes.detail}>{share === undefined ? 'new' : changePercent(share)}</span>
    </>
  )
}
