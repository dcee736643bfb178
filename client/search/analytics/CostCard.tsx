import { NativeSelect } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { searchFields } from '#events/search.ts'
import { useRemote } from '../../app/remote.ts'
import { Card } from '../../ui/Card.tsx'
import { TableSwitch } from '../../ui/charts/TableSwitch.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useVolumesOf } from '../useVolumesOf.ts'
import { analyticsState, chooseCostPeriod, shapeOf, shownOf } from './analytics.state.ts'
import { fieldAsked, topics } from './asked.ts'
import { PdfButton, ShapeSwitch, ShownItems } from './CardTools.tsx'
import type { CardProps } from './cardProps.ts'
import { ChartBody } from './ChartBody.tsx'
import { costCard, costCharts } from './costChart.ts'
import { type CostPeriod, costPeriods } from './costPeriods.ts'
import { storagesCard } from './fieldCards.ts'
import { fewestShown } from './fold.ts'
import classes from './Analytics.module.css'

/** What the files that were found cost, by storage; each currency for itself. */
export function CostCard({ asked, reading, onFilter, onPreview }: CardProps) {
  const chosen = useSnapshot(analyticsState)
  const [isTable, turn] = useState(false)
  const fields = useRemote(searchFields, fieldAsked(asked, storagesCard, reading.measure), ...topics)
  const volumes = useVolumesOf(asked.indexingDate).data?.elements
  const { filters } = asked
  const shape = shapeOf(chosen, costCard)
  const shown = shownOf(chosen, costCard)
  const period = chosen.costPeriod
  const costs =
    fields.data && volumes && costCharts({ answer: fields.data, filters, volumes, shown, shape, period, reading })
  return (
    <Card
      title={costCard.title}
      remote={{ ...fields, data: costs }}
      skeleton={<div className={classes.waiting} />}
      actions={
        <>
          <PeriodChoice period={period} />
          {(fields.data?.length ?? 0) >= fewestShown && <ShownItems card={costCard} />}
          <ShapeSwitch card={costCard} />
          <TableSwitch title={costCard.title} isTable={isTable} onTurn={turn} />
          {costs?.charts.map((chart) => (
            <PdfButton key={chart.title} title={chart.title} disabled={false} onOpen={() => onPreview(chart)} />
          ))}
        </>
      }
    >
      {({ charts, unpriced }) => (
        <div className={classes.body}>
          {charts.length === 0 && <Notice icon={IconCoins}>No price book</Notice>}
          {charts.map((chart) => (
            <div key={chart.title} className={classes.currency}>
              <p className={classes.cost}>{chart.note}</p>
              <ChartBody chart={chart} isTable={isTable} onFilter={onFilter} />
            </div>
          ))}
          {charts.length > 0 && unpriced.length > 0 && (
            <p className={classes.unpriced}>No price book: {unpriced.join(', ')}</p>
          )}
        </div>
      )}
    </Card>
  )
}

const words: Record<CostPeriod, string> = { Monthly: 'MONTHLY', Quarterly: 'QUARTERLY', Yearly: 'YEARLY' }

function PeriodChoice({ period }: { period: CostPeriod }) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Period of the storage cost"
      data={costPeriods.map((value) => ({ value, label: words[value] }))}
      value={period}
      onChange={({ currentTarget }) => chooseCostPeriod(currentTarget.value as CostPeriod)}
    />
  )
}
