import { SegmentedControl } from '@mantine/core'
import type { Measure } from '#client/ui/charts/measure.ts'

const measures: { value: Measure; label: string }[] = [
  { value: 'size', label: 'Size' },
  { value: 'count', label: 'Files' },
]

type MeasureChoiceProps = { measure: Measure; onChange: (measure: Measure) => void }

/** Switches charts between size and number of files. */
export function MeasureChoice({ measure, onChange }: MeasureChoiceProps) {
  return (
    <SegmentedControl
      aria-label="Chart values"
      size="xs"
      data={measures}
      value={measure}
      onChange={(measure) => onChange(measure as Measure)}
    />
  )
}
