import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChartBar, IconChartDonut, IconFileTypePdf } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { analyticsState, chooseShape, chooseShown, shapeOf, shownOf } from './analytics.state.ts'
import type { FieldCard } from './fieldCards.ts'
import { fewestShown, mostShown } from './fold.ts'
import classes from './Analytics.module.css'

/** What the form of a card needs to know of it. */
type CardWithForm = Pick<FieldCard, 'key' | 'title' | 'usually'>

const icon = { size: 16, stroke: 1.5 }

export function PdfButton({ title, onOpen, disabled }: { title: string; onOpen: () => void; disabled: boolean }) {
  return (
    <ActionIcon aria-label={`PDF of ${title}`} title="PDF preview" onClick={onOpen} disabled={disabled}>
      <IconFileTypePdf {...icon} />
    </ActionIcon>
  )
}

/** Circle or bars. */
export function ShapeSwitch({ card }: { card: CardWithForm }) {
  const shape = shapeOf(useSnapshot(analyticsState), card)
  return (
    <fieldset className={classes.pair} aria-label={`Form of ${card.title}`}>
      <ActionIcon
        aria-label={`${card.title} as circle`}
        title="Circle"
        aria-pressed={shape === 'circle'}
        className={classes.switch}
        onClick={() => chooseShape(card, 'circle')}
      >
        <IconChartDonut {...icon} />
      </ActionIcon>
      <ActionIcon
        aria-label={`${card.title} as bars`}
        title="Bar"
        aria-pressed={shape === 'bars'}
        className={classes.switch}
        onClick={() => chooseShape(card, 'bars')}
      >
        <IconChartBar {...icon} />
      </ActionIcon>
    </fieldset>
  )
}

const numbers = Array.from({ length: mostShown - fewestShown + 1 }, (_, i) => String(fewestShown + i))

/** How many items have a bar of their own. */
export function ShownItems({ card }: { card: CardWithForm }) {
  const shown = shownOf(useSnapshot(analyticsState), card)
  return (
    <NativeSelect
      size="xs"
      className={classes.shown}
      aria-label={`Shown items of ${card.title}`}
      title="Shown items"
      data={numbers}
      value={String(shown)}
      onChange={({ currentTarget }) => chooseShown(card, Number(currentTarget.value))}
    />
  )
}
