import type { GrowthPoint } from '#events/wall.ts'

/**
 * The paths of an area in a square of 100 by 100 whose top is `high` and whose foot is `low`, in bytes. The foot is nothing at
 * all unless the sizes lie so close together that no growth would be seen; both ends are named beside it.
 */
export function areaOf(points: readonly GrowthPoint[]): { line: string; area: string; low: number; high: number } {
  const sizes = points.map(({ sizeOfFiles }) => sizeOfFiles)
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const low = least > most / 2 && least < most ? Math.max(0, least - (most - least)) : 0
  const days = points.map(({ indexingDate }) => Date.parse(indexingDate))
  const [begin = 0] = days
  const span = (days.at(-1) ?? begin) - begin || 1
  const height = most - low || 1
  const at = points.map(({ sizeOfFiles }, i) => {
    const x = (((days[i] ?? begin) - begin) / span) * 100
    const y = 100 - ((sizeOfFiles - low) / height) * 100
    return `${round(x)} ${round(y)}`
  })
  const line = `M${at.join('L')}`
  return { line, area: `${line}V100H0Z`, low, high: most }
}

const round = (value: number) => Math.round(value * 100) / 100
