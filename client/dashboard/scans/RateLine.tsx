import { useState } from 'react'
import classes from './RateLine.module.css'

const points = 60
const width = 240
const height = 28

/** Speed of a scan over the last minute, one point per progress report. */
export function RateLine({ rate, scanId }: { rate: number; scanId: number }) {
  const rates = useLast(rate, scanId)
  if (rates.length < 3) return <div className={classes.rate} aria-hidden />
  const max = Math.max(...rates, 1)
  const step = width / (points - 1)
  const at = (value: number, index: number) =>
    `${((points - rates.length + index) * step).toFixed(1)},${(height - 2 - (value / max) * (height - 4)).toFixed(1)}`
  const line = rates.map(at).join(' ')
  const start = ((points - rates.length) * step).toFixed(1)
  return (
    <svg className={classes.rate} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      <polygon className={classes.area} points={`${start},${height} ${line} ${width},${height}`} />
      <polyline className={classes.line} points={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** Last values of a pushed number. A repeated value is added only if the number has changed in between. */
function useLast(value: number, of: number): number[] {
  const [last, setLast] = useState({ of, values: [value] })
  if (last.of !== of) setLast({ of, values: [value] })
  else if (last.values.at(-1) !== value) setLast({ of, values: [...last.values, value].slice(-points) })
  return last.values
}
