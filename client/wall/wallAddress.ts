import { type WallBoard, wallBoards, type WallOptions, wallSeconds } from '#events/wall.ts'

const isBoard = (word: string): word is WallBoard => wallBoards.some((name) => name === word)

/** Options in the URL of a wall; undefined for those of its settings. `every`: seconds per board. */
export type WallAddress = {
  boards: WallBoard[] | undefined
  /** Unknown board names in the URL. */
  leftOut: string[]
  every: number | undefined
  scheme: 'dark' | 'light' | undefined
  token: string | undefined
}

/** Parses a URL such as `/wall?boards=capacity,jobs&every=30&scheme=dark`. Invalid options count as absent. */
export function readWallAddress(search: string): WallAddress {
  const query = new URLSearchParams(search)
  const words = (query.get('boards') ?? '').split(',').map((word) => word.trim().toLowerCase())
  const requested = [...new Set(words.filter((word) => word !== ''))]
  const known = requested.filter(isBoard)
  const scheme = query.get('scheme')
  return {
    boards: known.length > 0 ? known : undefined,
    leftOut: requested.filter((word) => !isBoard(word)),
    every: readEvery(query.get('every')),
    scheme: scheme === 'dark' || scheme === 'light' ? scheme : undefined,
    token: query.get('token') ?? undefined,
  }
}

function readEvery(word: string | null): number | undefined {
  const seconds = word === null || word === '' ? NaN : Number(word)
  if (!Number.isFinite(seconds)) return undefined
  return Math.min(wallSeconds.max, Math.max(wallSeconds.min, Math.round(seconds)))
}

/** Options to show: those of the URL, then those of the display's settings (undefined until loaded), then the defaults. */
export const optionsOf = (address: WallAddress, settings: WallOptions | undefined): WallOptions => ({
  boards: address.boards ?? settings?.boards ?? [...wallBoards],
  every: address.every ?? settings?.every ?? wallSeconds.default,
  scheme: address.scheme ?? settings?.scheme ?? null,
})

/** URL without the token, so that it can't be read off the display. */
export function withoutToken(href: string): string {
  const url = new URL(href)
  url.searchParams.delete('token')
  return url.pathname + url.search
}
