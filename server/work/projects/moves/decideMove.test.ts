import { expect, test } from 'vitest'
import { evolveMoves, type FolderMove, type ProjectEvent } from '#events/projects/moves.ts'
import { decideMove, type Whereabouts } from './decideMove.ts'

const folder = { volumeId: 1, path: '/p1' }
const moved = (movedTo: string, ...scans: number[]) => ({
  state: 'moved' as const,
  movedTo,
  places: scans.map((beforeScan) => ({ path: '/p1', beforeScan })),
})
/** The moves after some checks and answers. */
const after = (...steps: (Whereabouts | ProjectEvent)[]) =>
  steps.reduce<FolderMove[]>((moves, step) => {
    const events = 'type' in step ? [step] : decideMove(folder, moves[0], step)
    return events.reduce(evolveMoves, moves)
  }, [])
const rejected: ProjectEvent = { type: 'FolderMoveRejected', ...folder, movedTo: '/a' }
const edited = (...paths: string[]): ProjectEvent => ({ type: 'Changed', after: { paths } })

test('a folder found elsewhere is a move until it is back or lost', () => {
  expect(after(moved('/a', 5))).toMatchObject([{ ...folder, movedTo: '/a', isRejected: false }])
  expect(after(moved('/a', 5), moved('/b', 5, 9))).toMatchObject([{ movedTo: '/b' }])
  expect(after(moved('/a', 5), { state: 'no news' })).toHaveLength(1)
  expect(after(moved('/a', 5), { state: 'here' })).toEqual([])
  expect(after(moved('/a', 5), { state: 'lost' })).toEqual([])
})

test('the same move is recorded once', () => {
  expect(decideMove(folder, after(moved('/a', 5))[0], moved('/a', 5))).toEqual([])
  expect(decideMove(folder, undefined, { state: 'here' })).toEqual([])
  expect(decideMove(folder, undefined, { state: 'lost' })).toEqual([])
})

test('a rejection outlives further moves, but not the return of the folder', () => {
  expect(after(moved('/a', 5), rejected, moved('/b', 5, 9))).toMatchObject([{ movedTo: '/b', isRejected: true }])
  expect(after(moved('/a', 5), rejected, { state: 'lost' })).toMatchObject([{ isRejected: true }])
  expect(after(moved('/a', 5), rejected, { state: 'here' }, moved('/c', 9))).toMatchObject([{ isRejected: false }])
})

test('an edit ends the moves of folders that are no longer tracked', () => {
  expect(after(moved('/a', 5), edited('1:/p1', '1:/x'))).toHaveLength(1)
  expect(after(moved('/a', 5), { type: 'Changed', after: {} })).toHaveLength(1)
  expect(after(moved('/a', 5), edited('1:/a'))).toEqual([])
  expect(after(moved('/a', 5), { type: 'Removed' })).toEqual([])
})
