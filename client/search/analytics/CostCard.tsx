import { Button, NativeSelect } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { Card } from '#client/ui/Card.tsx'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { estimateRule } from '#client/parts/cost/costWords.ts'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { analyticsState, chooseCostPeriod, shapeOf, itemLimit } from './analytics.state.ts'
import { fieldRequest, filtersOf } from './analyticsQueries.ts'
import { topics } from './searchRequest.ts'
import { FilterChart, PdfButton, ShapeSwitch, ShownItems, type CardProps } from './CardTools.tsx'
import { costCard, costCharts, type CostPeriod, costPeriods } from './costChart.ts'
import { storagesCard } from './fieldCards.ts'
import { minItems } from './fieldChart.ts'
import classes from './Analytics.module.css'

/** Cost of the results by storage, with one chart per currency. */
export function CostCard({ search, reading, onFilter, onPreview }: CardProps) {
  const [isTable, setTable] = useState(false)
  const costs = useCosts({ search, reading })
  return (
    <Card
      title={costCard.title}
      remote={costs}
      skeleton={<div className="appear radius-4 chart-room" />}
      actions={
        <>
          <PeriodChoice />
          {(costs.data?.storages ?? 0) >= minItems && <ShownItems card={costCard} />}
          <ShapeSwitch card={costCard} />
          <TableSwitch title={costCard.title} isTable={isTable} onTurn={setTable} />
          {costs.data?.charts.map((chart) => (
            <PdfButton key={chart.title} title={chart.title} disabled={false} onOpen={() => onPreview(chart)} />
          ))}
        </>
      }
    >
      {({ charts, unpriced, estimated }) => (
        <div className="inset-12">
          {charts.length === 0 && <NoPrices />}
          {charts.map((chart) => (
            <div key={chart.title} className={classes.currency}>
              <p className={classes.cost}>{chart.note}</p>
              <FilterChart chart={chart} isTable={isTable} onFilter={onFilter} />
            </div>
          ))}
          {charts.length > 0 && unpriced.length > 0 && (
            <p className="muted small top-8">No price book: {unpriced.join(', ')}</p>
          )}
          {estimated.length > 0 && (
            <p className="muted small top-8">
              About: {estimated.join(', ')}. {estimateRule}
            </p>
          )}
        </div>
      )}
    </Card>
  )
}

/** Costs from search totals and storage prices, with this browser's options. */
function useCosts({ search, reading }: Pick<CardProps, 'search' | 'reading'>) {
  const chosen = useSnapshot(analyticsState)
  const found = useRemote(...fieldRequest(search, storagesCard, reading.measure), ...topics)
  const priced = useVolumesAt(search.indexingDate)
  const [answer, volumes] = [found.data, priced.data?.elements]
  const form = { shape: shapeOf(chosen, costCard), shown: itemLimit(chosen, costCard), period: chosen.costPeriod }
  return {
    data: answer &&
      volumes && {
        ...costCharts({ answer, volumes, filters: filtersOf(search), reading, ...form }),
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
      <Button variant="default" component={Link} href={links.settings('data')}>
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

function PeriodChoice() {
  const { costPeriod } = useSnapshot(analyticsState)
  return (
    <NativeSelect
      size="xs"
      aria-label="Period of the storage cost"
      data={[...costPeriods]}
      value={costPeriod}
      onChange={({ currentTarget }) => chooseCostPeriod(currentTarget.value as CostPeriod)}
    />
  )
}
