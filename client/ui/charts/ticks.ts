/** Ticks of an axis from 0 to at least `max`: at most five, at round numbers in powers of `base`. */
export function roundTicks(max: number, base: number): number[] {
  if (max <= 0) return [0]
  const power = powerOf(max, base)
  const step = roundStep(max / power / 4, power === 1) * power
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_, i) => i * step)
}

/**
 * Ticks of a line: from 0, or from a round number below `min` if the values vary by less than half of `max`, so that their change can be
 * seen. Then the axis still shows at least a tenth of `max`.
 */
export function lineTicks(min: number, max: number, base: number): number[] {
  if (min >= max || min < max / 2) return roundTicks(max, base)
  const power = powerOf(max, base)
  const range = Math.max((max - min) * 1.2, max / 10)
  const step = roundStep(range / power / 4, power === 1) * power
  const first = Math.max(0, Math.floor((max - range) / step + 1e-9))
  return Array.from({ length: Math.ceil(max / step - 1e-9) - first + 1 }, (_, i) => (first + i) * step)
}

/** Largest power of the base up to a value, such as 1 GiB; 1 for counts. */
const powerOf = (value: number, base: number): number =>
  base === 1 ? 1 : base ** Math.max(0, Math.floor(Math.log(value) / Math.log(base) + 1e-9))

/** Next of 1, 2, 2.5 and 5 times a power of ten; whole numbers for counts. */
function roundStep(min: number, isWhole: boolean): number {
  if (isWhole && min <= 1) return 1
  const ten = 10 ** Math.floor(Math.log10(min))
  const steps = isWhole && ten < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]
  return (steps.find((step) => step * ten >= min - 1e-9) ?? 10) * ten
}
