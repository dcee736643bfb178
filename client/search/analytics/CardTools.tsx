import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChartBar, IconChartDonut, IconFileTypePdf } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import type { Reading } from '#client/ui/charts/measure.ts'
import { DistributionChart } from '#client/parts/distribution/DistributionChart.tsx'
import { analyticsState, chooseShape, chooseItemLimit, shapeOf, itemLimit } from './analytics.state.ts'
import type { FieldCard } from './fieldCards.ts'
import { minItems, maxItems } from './fieldChart.ts'
import type { SearchAtDate } from './searchRequest.ts'
import type { CardChart, FilterChange } from './cardChart.ts'
import classes from './Analytics.module.css'

/** Props of all cards. */
export type CardProps = {
  search: SearchAtDate
  reading: Reading
  onFilter: (change: FilterChange) => void
  onPreview: (chart: CardChart) => void
}

/** Fields of a card that determine its stored options. */
type CardWithForm = Pick<FieldCard, 'key' | 'title' | 'defaultShape'>

type FilterChartProps = Pick<CardProps, 'onFilter'> & { chart: CardChart; isTable: boolean }

/** Chart of a card. Selecting a part sets its filter. */
export function FilterChart({ chart, isTable, onFilter }: FilterChartProps) {
  const pick = (key: string) => {
    const change = chart.changes.get(key)
    if (change) onFilter(change)
  }
  return <DistributionChart chart={chart} isTable={isTable} onPick={pick} />
}

const icon = { size: 16, stroke: 1.5 }

export function PdfButton({ title, onOpen, disabled }: { title: string; onOpen: () => void; disabled: boolean }) {
  return (
    <ActionIcon aria-label={`PDF of ${title}`} title="PDF preview" onClick={onOpen} disabled={disabled}>
      <IconFileTypePdf {...icon} />
    </ActionIcon>
  )
}

/** Switches between ring and bars. */
export function ShapeSwitch({ card }: { card: CardWithForm }) {
  const shape = shapeOf(useSnapshot(analyticsState), card)
  return (
    <fieldset className="flex shrink" aria-label={`Form of ${card.title}`}>
      <ActionIcon
        aria-label={`${card.title} as circle`}
        title="Circle"
        aria-pressed={shape === 'circle'}
        className="switch"
        onClick={() => chooseShape(card, 'circle')}
      >
        <IconChartDonut {...icon} />
      </ActionIcon>
      <ActionIcon
        aria-label={`${card.title} as bars`}
        title="Bar"
        aria-pressed={shape === 'bars'}
        className="switch"
        onClick={() => chooseShape(card, 'bars')}
      >
        <IconChartBar {...icon} />
      </ActionIcon>
    </fieldset>
  )
}

const numbers = Array.from({ length: maxItems - minItems + 1 }, (_, i) => String(minItems + i))

/** Number of items with their own bar. */
export function ShownItems({ card }: { card: CardWithForm }) {
  const shown = itemLimit(useSnapshot(analyticsState), card)
  return (
    <NativeSelect
      size="xs"
      className={classes.shown}
      aria-label={`Shown items of ${card.title}`}
      title="Shown items"
      data={numbers}
      value={String(shown)}
      onChange={({ currentTarget }) => chooseItemLimit(card, Number(currentTarget.value))}
    />
  )
}
