import { ActionIcon } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { navigate } from '#client/app/place/navigate.ts'
import type { FolderAtDate } from '#events/folders/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { linksAt } from '#client/app/links.ts'
import { Card } from '#client/ui/Card.tsx'
import { ChartFigure } from '#client/ui/charts/ChartFigure.tsx'
import { DayLine } from '#client/ui/charts/DayLine.tsx'
import { stepBase, tickText } from '#client/ui/charts/measure.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import type { FolderPlace } from '#client/parts/folder-place/folderPlace.ts'
import { sizeParts, sizeSentence } from './sizeLine.ts'

type SizeVariationCardProps = { place: FolderPlace; history: Loadable<FolderAtDate[]> }

/** Size of the folder over time. A point links to a search in the folder on its date. */
export function SizeVariationCard({ place, history }: SizeVariationCardProps) {
  const [isTable, turn] = useState(false)
  const toTable = (
    <ActionIcon
      variant="subtle"
      aria-label="Show Size Variation as table"
      title="Show as table"
      aria-pressed={isTable}
      onClick={() => turn(!isTable)}
    >
      <IconTable size={16} stroke={1.5} />
    </ActionIcon>
  )
  return (
    <Card
      title="Size Variation"
      remote={history}
      actions={toTable}
      skeleton={<div className="appear radius-4 chart-room" />}
    >
      {(history) => <Line place={place} history={history} isTable={isTable} />}
    </Card>
  )
}

type LineProps = { place: FolderPlace; history: FolderAtDate[]; isTable: boolean }

function Line({ place: { volumeId, path }, history, isTable }: LineProps) {
  const { base } = useSnapshot(sizeSetting)
  const newest = useActiveDate().dates.data?.[0]?.indexingDate
  const parts = sizeParts(history, base)
  const pick = (date: string) => {
    const links = linksAt(date === newest ? undefined : date)
    navigate(links.search({ startingPath: path, volumeId: String(volumeId) }))
  }
  return (
    <div className="inset-12">
      <ChartFigure
        summary={sizeSentence(history, base)}
        parts={parts}
        columns={['Snapshot', 'Size', 'Change']}
        asTable={isTable}
        onPick={pick}
      >
        <DayLine
          label="Size Variation"
          parts={parts}
          from={history[0]?.indexingDate ?? ''}
          to={history.at(-1)?.indexingDate ?? ''}
          base={stepBase({ measure: 'size', base })}
          tickText={tickText({ measure: 'size', base })}
          onPick={pick}
        />
      </ChartFigure>
    </div>
  )
}
