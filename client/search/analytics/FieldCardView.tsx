import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Totals } from '#events/search/calls.ts'
import { useRemote } from '#client/app/remote.ts'
import { Card } from '#client/ui/Card.tsx'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { analyticsState, shapeOf, itemLimit } from './analytics.state.ts'
import { fieldRequest, filtersOf } from './analyticsQueries.ts'
import { topics } from './searchRequest.ts'
import { FilterChart, PdfButton, ShapeSwitch, ShownItems, type CardProps } from './CardTools.tsx'
import type { FieldCard, NamedVolume } from './fieldCards.ts'
import { fieldChart, minItems } from './fieldChart.ts'

type FieldCardViewProps = CardProps & { card: FieldCard; whole: Totals | undefined; volumes: readonly NamedVolume[] }

/** Files by a field: the largest items, and the rest as one. */
export function FieldCardView(props: FieldCardViewProps) {
  const { card, search, whole, volumes, reading, onFilter, onPreview } = props
  const chosen = useSnapshot(analyticsState)
  const [isTable, setTable] = useState(false)
  const fields = useRemote(...fieldRequest(search, card, reading.measure), ...topics)
  const [shape, shown] = [shapeOf(chosen, card), itemLimit(chosen, card)]
  const chart =
    fields.data &&
    fieldChart({ card, answer: fields.data, whole, filters: filtersOf(search), volumes, shown, shape, reading })
  const items = new Set(fields.data && card.items(fields.data, volumes).map(({ field }) => field)).size
  return (
    <Card
      title={card.title}
      note={chart?.note}
      remote={{ ...fields, data: chart }}
      skeleton={<div className="appear radius-4 chart-room" />}
      actions={
        <>
          {items >= minItems && <ShownItems card={card} />}
          <ShapeSwitch card={card} />
          <TableSwitch title={card.title} isTable={isTable} onTurn={setTable} />
          <PdfButton title={card.title} disabled={!chart} onOpen={() => chart && onPreview(chart)} />
        </>
      }
    >
      {(chart) => (
        <div className="inset-12">
          <FilterChart chart={chart} isTable={isTable} onFilter={onFilter} />
          {card.rule && <p className="muted small top-8">{card.rule}</p>}
        </div>
      )}
    </Card>
  )
}
