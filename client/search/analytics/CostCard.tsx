import { Button, NativeSelect } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { searchFields } from '#events/search.ts'
import { useLinks } from '../../app/links.ts'
import { useRemote } from '../../app/remote.ts'
import { RoleGuard } from '../../app/shell/RoleGuard.tsx'
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
  const [isTable, turn] = useState(false)
  const costs = useCosts({ asked, reading })
  return (
    <Card
      title={costCard.title}
      remote={costs}
      skeleton={<div className={classes.waiting} />}
      actions={
        <>
          <PeriodChoice />
          {(costs.data?.storages ?? 0) >= fewestShown && <ShownItems card={costCard} />}
          <ShapeSwitch card={costCard} />
          <TableSwitch title={costCard.title} isTable={isTable} onTurn={turn} />
          {costs.data?.charts.map((chart) => (
            <PdfButton key={chart.title} title={chart.title} disabled={false} onOpen={() => onPreview(chart)} />
          ))}
        </>
      }
    >
      {({ charts, unpriced }) => (
        <div className={classes.body}>
          {charts.length === 0 && <NoPrices />}
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

/** The costs as this browser shows them, from what was found and from the prices of its storages. */
function useCosts({ asked, reading }: Pick<CardProps, 'asked' | 'reading'>) {
  const chosen = useSnapshot(analyticsState)
  const found = useRemote(searchFields, fieldAsked(asked, storagesCard, reading.measure), ...topics)
  const priced = useVolumesOf(asked.indexingDate)
  const [answer, volumes] = [found.data, priced.data?.elements]
  const form = { shape: shapeOf(chosen, costCard), shown: shownOf(chosen, costCard), period: chosen.costPeriod }
  return {
    data: answer &&
      volumes && {
        ...costCharts({ answer, volumes, filters: asked.filters, reading, ...form }),
        storages: answer.length,
      },
    error: found.error ?? priced.error,
    loading: found.loading || priced.loading,
    retry: () => {
      found.retry()
      priced.retry()
    },
  }
}

function NoPrices() {
  const links = useLinks()
  const step = (
    <RoleGuard needs="settings.edit">
      <Button variant="default" component={Link} href={links.settingsData()}>
        Choose price books
      </Button>
    </RoleGuard>
  )
  return (
    <Notice icon={IconCoins} step={step}>
      No price book
    </Notice>
  )
}

const words: Record<CostPeriod, string> = { Monthly: 'MONTHLY', Quarterly: 'QUARTERLY', Yearly: 'YEARLY' }

function PeriodChoice() {
  const { costPeriod } = useSnapshot(analyticsState)
  return (
    <NativeSelect
      size="xs"
      aria-label="Period of the storage cost"
      data={costPeriods.map((value) => ({ value, label: words[value] }))}
      value={costPeriod}
      onChange={({ currentTarget }) => chooseCostPeriod(currentTarget.value as CostPeriod)}
    />
  )
}
