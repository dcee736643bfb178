import { Checkbox } from '@mantine/core'
import { effectiveOptions, type ScanOptions } from './scanOptions.ts'
import classes from './ScanDialog.module.css'

type ScanOptionInputsProps = {
  options: ScanOptions
  /** True if the sources support delta scans. */
  canScanDelta: boolean
  disabled: boolean
  onChange: (options: ScanOptions) => void
}

/** Clone Index and, where there are delta scans, Delta Scan, which forces Clone Index on. */
export function ScanOptionInputs({ options, canScanDelta, disabled, onChange }: ScanOptionInputsProps) {
  const { cloneIndex, isDeltaScan } = effectiveOptions(options, canScanDelta)
  return (
    <div className={classes.options}>
      {canScanDelta && (
        <Checkbox
          label="Delta Scan"
          description="Reads only what changed since the last scan"
          checked={isDeltaScan}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange({ ...options, isDeltaScan: currentTarget.checked })}
        />
      )}
      <Checkbox
        label="Clone Index"
        description={
          isDeltaScan ? 'A delta scan needs it' : 'The new snapshot also includes the other storages, as last scanned'
        }
        checked={cloneIndex}
        disabled={disabled || isDeltaScan}
        onChange={({ currentTarget }) => onChange({ ...options, cloneIndex: currentTarget.checked })}
      />
    </div>
  )
}
