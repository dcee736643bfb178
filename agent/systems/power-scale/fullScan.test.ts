import { expect, test } from 'vitest'
import { fillTree } from './simulator/index.ts'
import { cluster, linesOf, liveState, scan, stateOf } from './testing.ts'

test('a full scan is the tree: every kind, odd names, numbers above 2^53 and owners', async () => {
  const simulator = await cluster()
  fillTree(simulator.tree, 5_000)
  const sent = await scan(simulator)
  expect(sent.isDelta).toBe(false)
  expect(linesOf(stateOf(sent))).toEqual(linesOf(liveState(simulator)))
  const found = stateOf(sent)
  for (const [path, { mode, linkCount }] of liveState(simulator)) {
    expect(found.get(path)).toMatchObject(linkCount === 0 ? { mode } : { mode, linkCount })
  }
  expect(simulator.sessions.openCount).toBe(0)
})
