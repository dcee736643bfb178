import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import type { Role } from '#client/ui/theme/roles.ts'

/** A slice of a ring; `from` and `to` are shares of the circle. */
export type Slice = { key: string; label: string; role: Role; from: number; to: number }

/** Slices of a ring, with its radii. */
export type Ring = { outer: number; inner: number; slices: Slice[] }

/** Outer radius, thickness of a single ring, and space for several rings. */
const radius = 96
const thickness = 34
const roomOfMany = 66
const gap = 3

/** From this multiple of the allocated size, all rings are red. */
const maxRings = 5

export const spaceLeftKey = 'space left'
const overflow = { key: 'overflow', label: 'Over the allocated size', role: 'usage-critical' } as const

/**
 * Rings of a project that uses `usage` times its allocated size: one with storages and free space, then a red ring
 * inside for each further multiple, the last one partially filled.
 */
export function ringsOf(parts: readonly ChartPart[], usage: number): Ring[] {
  const count = ringCount(usage)
  const first = count === maxRings && usage >= maxRings ? [{ ...overflow, from: 0, to: 1 }] : slicesOf(parts)
  return Array.from({ length: count }, (_, place) => {
    const to = Math.min(1, usage - place)
    return { ...radiiOf(place, count), slices: place === 0 ? first : [{ ...overflow, from: 0, to }] }
  })
}

const ringCount = (usage: number): number => Math.min(maxRings, Math.max(1, Math.ceil(usage)))

function radiiOf(place: number, count: number): Pick<Ring, 'outer' | 'inner'> {
  const each = count === 1 ? thickness : (roomOfMany - gap * (count - 1)) / count
  const outer = radius - place * (each + gap)
  return { outer, inner: outer - each }
}

function slicesOf(parts: readonly ChartPart[]): Slice[] {
  const whole = parts.reduce((sum, { value }) => sum + value, 0) || 1
  let before = 0
  return parts.flatMap(({ key, label, role, value }) => {
    const from = before / whole
    before += value
    return value > 0 ? [{ key, label, role, from, to: before / whole }] : []
  })
}
