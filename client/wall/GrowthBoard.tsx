import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ActiveVolume } from '#events/storages.ts'
import type { GrowthPoint } from '#events/wall.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'
import { signOf } from '../ui/text/change.ts'
import { percentText } from '../ui/text/count.ts'
import { GrowthArea } from './GrowthArea.tsx'
import { NotKnown } from './NotKnown.tsx'
import { useGrowth, useMostActive } from './useWallData.ts'
import { SizeFigure, WallFigure, useSizeText } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import classes from './Boards.module.css'

const none: never[] = []

/** How the storages grew in thirty days, and which changed most. */
export function GrowthBoard() {
  const { data: points } = useGrowth()
  const { data: active } = useMostActive()
  const last = points?.at(-1)
  return (
    <>
      <dl className={classes.figures}>
        <SizeFigure label="Size of files" of={last?.sizeOfFiles} note={last?.isPartial ? 'partial' : undefined} />
        <Change points={points ?? none} />
      </dl>
      <div className={classes.halves}>
        {points ? <GrowthArea points={points} /> : <NotKnown />}
        <WallList
          title="Most active storages, 30 days"
          rows={active}
          rowKey={({ id }) => id}
          empty="No storage changed in 30 days"
        >
          {(volume) => <Variation volume={volume} />}
        </WallList>
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
  const share = first.sizeOfFiles > 0 && percentText(Math.abs(change) / first.sizeOfFiles)
  return (
    <WallFigure
      label="Change in 30 days"
      value={`${signOf(change)}${value}`}
      unit={unit}
      note={share && `${signOf(change)}${share} since ${first.indexingDate}`}
    />
  )
}

function Variation({ volume }: { volume: ActiveVolume }) {
  const { variation, variationPercentage } = volume
  const text = useSizeText()
  const Arrow = variation < 0 ? IconArrowDown : IconArrowUp
  return (
    <>
      <span className={classes.name}>{volumeName(volume)}</span>
      <span className={classes.variation} data-state>
        {variation !== 0 && (
          <Arrow className={classes.sign} data-way={variation < 0 ? 'down' : 'up'} stroke={1.75} aria-hidden />
        )}
        {`${signOf(variation)}${Object.values(text(Math.abs(variation))).join(' ')}`}
      </span>
      <span className={classes.detail}>
        {variationPercentage === null
          ? 'new'
          : `${signOf(variationPercentage)}${percentText(Math.abs(variationPercentage) / 100)}`}
      </span>
    </>
  )
}
