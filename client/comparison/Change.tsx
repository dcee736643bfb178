import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { signOf, directionOf } from '#client/ui/text/change.ts'
import { exactSize, sizeText } from '#client/ui/text/size.ts'
import classes from './Change.module.css'

type ChangeProps = {
  /** Negative for shrinkage, null if unknown. */
  bytes: number | null
  isLarge?: boolean
}

/** Change in bytes, with sign. */
export function Change({ bytes, isLarge = false }: ChangeProps) {
  const base = useSizeBase()
  if (bytes === null)
    return (
      <span className={classes.change} title="A size is not known">
        -
      </span>
    )
  const { value, unit } = sizeText(Math.abs(bytes), base)
  const Arrow = bytes > 0 ? IconArrowUp : IconArrowDown
  return (
    <span
      className={isLarge ? `figure ${classes.change}` : classes.change}
      data-way={directionOf(bytes)}
      data-large={isLarge || undefined}
      title={`${signOf(bytes)}${exactSize(Math.abs(bytes))}`}
    >
      {bytes !== 0 && <Arrow size={isLarge ? 22 : 14} stroke={2} aria-hidden />}
      <span>
        {signOf(bytes)}
        {value} <span className={classes.unit}>{unit}</span>
      </span>
    </span>
  )
}
