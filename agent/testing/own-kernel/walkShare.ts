import { createRequire } from 'node:module'
import type { WayToWalk } from '../../scan/folders/messages.ts'
import type { Systems } from '#agent/systems/index.ts'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { contradictions, type Row, totals } from '../decodeRows.ts'
import { orderOf, type SentWalk, walked } from '../walked.ts'

/** All ways to walk; `usual` is the one that suits the storage. */
export const waysOfWalks = ['alone', 'ring', 'pool', 'usual'] as const

/** A walk of a share, compared with one that makes one call after another. */
export type ComparedWalk = {
  totals: ReturnType<typeof totals>
  counts: SentWalk['counts']
  contradictions: string[]
  unreadable: SentWalk['unreadable']
  /** Facts that only one of both walks found; at most ten. */
  differing: string[]
  /** True if it reported calls in flight: it had many at once. */
  hasMany: boolean
}

/** Walks a folder of a share in all ways, on the same mount. */
export async function walkShare(systems: Systems, mount: ShareMount, path: string) {
  const source = { kind: 'networkShare' as const, mount, path }
  const system = await systems.open(orderOf('', { source }), AbortSignal.timeout(200_000))
  if (system.listing !== 'walk') throw new Error('A share is walked')
  const walks: Partial<Record<(typeof waysOfWalks)[number], ComparedWalk>> = {}
  let alone: string[] = []
  for (const way of waysOfWalks) {
    const walk = await walked(orderOf(system.root), [], {
      way: way === 'usual' ? undefined : (way satisfies WayToWalk),
    })
    const facts = factsOf(walk.rows)
    if (way === 'alone') alone = facts
    walks[way] = compared(walk, onlyInOne(alone, facts))
  }
  await system.close()
  await systems.settled()
  return walks
}

const compared = ({ rows, counts, unreadable, paces }: SentWalk, differing: string[]): ComparedWalk => ({
  totals: totals(rows),
  counts,
  contradictions: contradictions(rows),
  unreadable,
  differing: differing.slice(0, 10),
  hasMany: paces.length > 0,
})

/** Rows without what differs from walk to walk. */
const factsOf = (rows: Row[]): string[] =>
  rows.map(({ batch: _, attempt: __, accessed: ___, ...row }) => JSON.stringify(row)).sort()

function onlyInOne(some: string[], others: string[]): string[] {
  const [left, right] = [new Set(some), new Set(others)]
  const only = [...some.filter((fact) => !right.has(fact)), ...others.filter((fact) => !left.has(fact))]
  return [...only, ...(some.length === others.length ? [] : ['another number of rows'])]
}

/** Number of the error with which this kernel answers a wrong setup of an io_uring: EFAULT if it has it. */
export function answerOfRing(): number {
  const koffi = createRequire(import.meta.url)('koffi')
  const call = koffi.load('libc.so.6').func('long syscall(long, long, void *)')
  call(setupOfRing, 1, null)
  return koffi.errno()
}

/** Number of `io_uring_setup`. */
const setupOfRing = 425
