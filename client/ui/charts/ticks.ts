/** Ticks of an axis from 0 to at least `max`: at most five, at round numbers in powers of `base`. */
export function roundTicks(max: number, base: number): number[] {
  if (max <= 0) return [0]
  const power = base === 1 ? 1 : base ** Math.max(0, Math.floor(Math.log(max) / Math.log(base) + 1e-9))
  const step = roundStep(max / power / 4, power === 1) * power
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_, i) => i * step)
}

/** Next of 1, 2, 2.5 and 5 times a power of ten; whole numbers for counts. */
function roundStep(min: number, isWhole: boolean): number {
  if (isWhole && min <= 1) return 1
  const ten = 10 ** Math.floor(Math.log10(min))
  const steps = isWhole && ten < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]
  return (steps.find((step) => step * ten >= min - 1e-9) ?? 10) * ten
}
