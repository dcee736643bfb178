import { useSnapshot } from 'valtio'
import { sizeSetting } from './sizeBase.state.ts'
import { exactSize, sizeText } from './text/size.ts'
import classes from './Quantity.module.css'

/** A size in three digits; the exact bytes are one hover away. */
export function Size({ bytes }: { bytes: number }) {
  const { base } = useSnapshot(sizeSetting)
  const { value, unit } = sizeText(bytes, base)
  return (
    <span className={classes.quantity} title={exactSize(bytes)}>
      {value}
      {unit && <span className={classes.unit}> {unit}</span>}
    </span>
  )
}
