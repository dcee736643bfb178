import { exactSize, sizeText } from '#client/ui/text/size.ts'
import { useSizeBase } from './sizeBase.state.ts'
import classes from './Quantity.module.css'

/** A size with three digits; exact bytes are in the tooltip. */
export function Size({ bytes }: { bytes: number }) {
  const { value, unit } = sizeText(bytes, useSizeBase())
  return (
    <span className={classes.quantity} title={exactSize(bytes)}>
      {value}
      {unit && <span className="muted"> {unit}</span>}
    </span>
  )
}
