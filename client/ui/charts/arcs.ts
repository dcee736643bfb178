/** SVG path of a ring slice around the origin. `from` and `to` are shares of the circle, clockwise from the top. */
export function arcPath(from: number, to: number, outer: number, inner: number): string {
  // An arc can't draw a full circle, since it would end where it starts.
  if (to - from >= 1) return `${arcPath(0, 0.5, outer, inner)} ${arcPath(0.5, 0.999_999, outer, inner)}`
  const isLarge = to - from > 0.5 ? 1 : 0
  const [a, b] = [pointAt(from, outer), pointAt(to, outer)]
  const [c, d] = [pointAt(to, inner), pointAt(from, inner)]
  return `M ${a} A ${outer} ${outer} 0 ${isLarge} 1 ${b} L ${c} A ${inner} ${inner} 0 ${isLarge} 0 ${d} Z`
}

function pointAt(share: number, radius: number): string {
  const angle = 2 * Math.PI * share
  return `${rounded(Math.sin(angle) * radius)} ${rounded(-Math.cos(angle) * radius)}`
}

// Adding 0 avoids -0.
const rounded = (value: number) => Math.round(value * 1000) / 1000 + 0
