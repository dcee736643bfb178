import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { searchFields, type Totals } from '#events/search.ts'
import { useRemote } from '../../app/remote.ts'
import { Card } from '../../ui/Card.tsx'
import { TableSwitch } from '../../ui/charts/TableSwitch.tsx'
import { analyticsState, shapeOf, shownOf } from './analytics.state.ts'
import { fieldAsked, topics } from './asked.ts'
import { PdfButton, ShapeSwitch, ShownItems } from './CardTools.tsx'
import type { CardProps } from './cardProps.ts'
import { ChartBody } from './ChartBody.tsx'
import type { FieldCard, Named } from './fieldCards.ts'
import { fieldChart } from './fieldChart.ts'
import { fewestShown } from './fold.ts'
import classes from './Analytics.module.css'

type FieldCardViewProps = CardProps & { card: FieldCard; whole: Totals | undefined; volumes: readonly Named[] }

/** Files by a field: its largest items, and the others as one. */
export function FieldCardView(props: FieldCardViewProps) {
  const { card, asked, whole, volumes, reading, onFilter, onPreview } = props
  const chosen = useSnapshot(analyticsState)
  const [isTable, turn] = useState(false)
  const fields = useRemote(searchFields, fieldAsked(asked, card, reading.measure), ...topics)
  const [shape, shown] = [shapeOf(chosen, card), shownOf(chosen, card)]
  const chart =
    fields.data &&
    fieldChart({ card, answer: fields.data, whole, filters: asked.filters, volumes, shown, shape, reading })
  const items = new Set(fields.data && card.items(fields.data, volumes).map(({ field }) => field)).size
  return (
    <Card
      title={card.title}
      remote={{ ...fields, data: chart }}
      skeleton={<div className={classes.waiting} />}
      actions={
        <>
          {items >= fewestShown && <ShownItems card={card} />}
          <ShapeSwitch card={card} />
          <TableSwitch title={card.title} isTable={isTable} onTurn={turn} />
          <PdfButton title={card.title} disabled={!chart} onOpen={() => chart && onPreview(chart)} />
        </>
      }
    >
      {(chart) => (
        <div className={classes.body}>
          <ChartBody chart={chart} isTable={isTable} onFilter={onFilter} />
        </div>
      )}
    </Card>
  )
}
