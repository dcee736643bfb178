import type { Measure } from '#client/ui/charts/measure.ts'
import { Segments } from '#client/ui/form/Segments.tsx'

const measures: { value: Measure; label: string }[] = [
  { value: 'size', label: 'Size' },
  { value: 'count', label: 'Files' },
]

type MeasureChoiceProps = { measure: Measure; onChange: (measure: Measure) => void }

/** Switches charts between size and number of files. */
export function MeasureChoice({ measure, onChange }: MeasureChoiceProps) {
  return <Segments label="Chart values" options={measures} chosen={measure} onChoose={onChange} />
}
