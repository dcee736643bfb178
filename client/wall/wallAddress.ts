/** The boards that a wall can show, in the order in which it shows them unless told otherwise. */
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

/** What the address of a wall asks for. `every`: seconds a board is shown. */
export type WallAddress = {
  boards: BoardName[]
  /** Names of boards that there are none of. */
  leftOut: string[]
  every: number
  scheme: 'dark' | 'light' | undefined
  token: string | undefined
}

const usually = 30
const [shortest, longest] = [10, 300]

/** Reads the address, `/wall?boards=capacity,jobs&every=30&scheme=dark`; what it says wrongly counts as not said. */
export function readWallAddress(search: string): WallAddress {
  const query = new URLSearchParams(search)
  const words = (query.get('boards') ?? '').split(',').map((word) => word.trim().toLowerCase())
  const asked = [...new Set(words.filter((word) => word !== ''))]
  const known = asked.filter(isBoard)
  const scheme = query.get('scheme')
  return {
    boards: known.length > 0 ? known : [...boardNames],
    leftOut: asked.filter((word) => !isBoard(word)),
    every: readEvery(query.get('every')),
    scheme: scheme === 'dark' || scheme === 'light' ? scheme : undefined,
    token: query.get('token') ?? undefined,
  }
}

function readEvery(word: string | null): number {
  const seconds = word === null || word === '' ? NaN : Number(word)
  return Number.isFinite(seconds) ? Math.min(longest, Math.max(shortest, Math.round(seconds))) : usually
}

/** The same address without the token, which is not to be read off the wall. */
export function withoutToken(href: string): string {
  const url = new URL(href)
  url.searchParams.delete('token')
  return url.pathname + url.search
}
