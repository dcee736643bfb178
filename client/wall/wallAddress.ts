/** Boards of the wall in their default order. */
export const boardNames = ['capacity', 'jobs', 'growth', 'map', 'agents'] as const
export type BoardName = (typeof boardNames)[number]
export const boardTitles = {
  capacity: 'Capacity',
  jobs: 'Jobs',
  growth: 'Growth',
  map: 'Map',
  agents: 'Agents',
} as const

const isBoard = (word: string): word is BoardName => boardNames.some((name) => name === word)

/** Options in the URL of a wall. `every`: seconds per board. */
export type WallAddress = {
  boards: BoardName[]
  /** Unknown board names in the URL. */
  leftOut: string[]
  every: number
  scheme: 'dark' | 'light' | undefined
  token: string | undefined
}

const defaultSeconds = 30
const [minSeconds, maxSeconds] = [10, 300]

/** Parses a URL such as `/wall?boards=capacity,jobs&every=30&scheme=dark`. Invalid options get their default. */
export function readWallAddress(search: string): WallAddress {
  const query = new URLSearchParams(search)
  const words = (query.get('boards') ?? '').split(',').map((word) => word.trim().toLowerCase())
  const requested = [...new Set(words.filter((word) => word !== ''))]
  const known = requested.filter(isBoard)
  const scheme = query.get('scheme')
  return {
    boards: known.length > 0 ? known : [...boardNames],
    leftOut: requested.filter((word) => !isBoard(word)),
    every: readEvery(query.get('every')),
    scheme: scheme === 'dark' || scheme === 'light' ? scheme : undefined,
    token: query.get('token') ?? undefined,
  }
}

function readEvery(word: string | null): number {
  const seconds = word === null || word === '' ? NaN : Number(word)
  return Number.isFinite(seconds) ? Math.min(maxSeconds, Math.max(minSeconds, Math.round(seconds))) : defaultSeconds
}

/** URL without the token, so that it can't be read off the display. */
export function withoutToken(href: string): string {
  const url = new URL(href)
  url.searchParams.delete('token')
  return url.pathname + url.search
}
