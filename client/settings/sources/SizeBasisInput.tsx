import { Radio } from '@mantine/core'
import { SizeBasis } from '#events/sources/sizeBasis.ts'
import classes from './Sources.module.css'

const labels: Record<SizeBasis, string> = { onDisk: 'On disk', apparent: 'Apparent size' }

const descriptions: Record<SizeBasis, string> = {
  onDisk: 'The space that files take on their disk, as du shows it. Holes and compressed parts cost nothing.',
  apparent: 'The bytes of their content, as du --apparent-size shows them. For storages whose prices are by content.',
}

type SizeBasisInputProps = { value: SizeBasis; onChange: (basis: SizeBasis) => void; disabled: boolean }

/** Selects the sizes that count for costs. */
export function SizeBasisInput({ value, onChange, disabled }: SizeBasisInputProps) {
  return (
    <Radio.Group
      label="Size Basis"
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      description="Sizes that costs and projects count. A file with several hard links counts once."
      value={value}
      onChange={(basis) => onChange(basis as SizeBasis)}
    >
      <div className={classes.options}>
        {SizeBasis.options.map((basis) => (
          <Radio
            key={basis}
            value={basis}
            label={labels[basis]}
            description={descriptions[basis]}
            disabled={disabled}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
