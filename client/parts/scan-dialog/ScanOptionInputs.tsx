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

/** Keep other storages and, for sources with delta scans, Only changes, which forces it on. */
export function ScanOptionInputs({ options, canScanDelta, disabled, onChange }: ScanOptionInputsProps) {
  const { cloneIndex, isDeltaScan } = effectiveOptions(options, canScanDelta)
  return (
    <div className={classes.options}>
      {canScanDelta && (
        <Checkbox
          label="Only changes"
          description="Reads what changed since the last scan"
          checked={isDeltaScan}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange({ ...options, isDeltaScan: currentTarget.checked })}
        />
      )}
      <Checkbox
        label="Keep other storages in the snapshot"
        description={
          isDeltaScan
            ? 'Scanning only changes needs it'
            : 'As last scanned. Without it, the snapshot has only what is scanned now.'
        }
        checked={cloneIndex}
        disabled={disabled || isDeltaScan}
        onChange={({ currentTarget }) => onChange({ ...options, cloneIndex: currentTarget.checked })}
      />
    </div>
  )
}
