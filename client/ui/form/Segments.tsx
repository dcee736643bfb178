import { useId } from 'react'
import classes from './Segments.module.css'

type SegmentsProps<T extends string> = {
  /** Accessible name, or the ID of the element with it. */
  label?: string
  labelledBy?: string
  options: readonly { value: T; label: string }[]
  chosen: T
  onChoose: (value: T) => void
  className?: string | undefined
}

/** Choice of one of a few options in a row. */
export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { label, labelledBy, options, chosen, onChoose, className = '' } = props
  const name = useId()
  return (
    <div
      className={`${classes.segments} ${className}`}
      role="radiogroup"
      aria-label={label}
      aria-labelledby={labelledBy}
    >
      {options.map(({ value, label }) => (
        <label key={value} className={classes.segment}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </div>
  )
}
