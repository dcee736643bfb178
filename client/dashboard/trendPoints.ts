const margin = 2

/** The points of a line through values of days, as SVG has them: days apart as they are, the least value at the bottom. */
export function trendPoints(values: readonly { day: string; value: number }[], width: number, height: number): string {
  const days = values.map(({ day }) => Date.parse(day))
  const least = Math.min(...values.map(({ value }) => value))
  const most = Math.max(...values.map(({ value }) => value))
  const [first = 0, last = 0] = [days[0], days.at(-1)]
  return values
    .map(({ value }, index) => {
      const along = last === first ? 0 : ((days[index] ?? first) - first) / (last - first)
      const up = most === least ? 0.5 : (value - least) / (most - least)
      return `${(along * width).toFixed(1)},${(height - margin - up * (height - 2 * margin)).toFixed(1)}`
    })
    .join(' ')
}
