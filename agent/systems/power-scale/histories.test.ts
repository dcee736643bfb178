import { expect, test } from 'vitest'
import { cases } from '#server/platform/testing/cases.ts'
import { pathRules } from '#events/scans/rules.ts'
import {
  changeAtRandom,
  fillTree,
  type PowerScaleSimulator,
  type RandomBelow,
  type Switches,
} from './simulator/index.ts'
import {
  applyDelta,
  type Changes,
  cluster,
  linesOf,
  liveState,
  scan,
  type SentScan,
  type State,
  stateOf,
} from './testing.ts'

/** Random numbers of a seed. */
function randomOf(seed: number): RandomBelow {
  let state = seed + 1
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type History = { simulator: PowerScaleSimulator; random: RandomBelow; state: State; last: SentScan; scanId: number }

async function start(seed: number, switches: Partial<Switches> = {}, changes: Changes = {}): Promise<History> {
  const simulator = await cluster({ switches })
  fillTree(simulator.tree, 400)
  changeAtRandom(simulator.tree, randomOf(seed), 40)
  const last = await scan(simulator, changes)
  return { simulator, random: randomOf(seed), state: stateOf(last), last, scanId: 1 }
}

/** Changes the tree and scans it again. */
async function step(history: History, count: number, changes: Changes = {}): Promise<SentScan> {
  const { simulator, random, state, last } = history
  simulator.clock.advance(60)
  changeAtRandom(simulator.tree, random, count)
  simulator.clock.advance(60)
  const scanId = history.scanId + 1
  const sent = await scan(simulator, { order: { isDelta: true }, baseline: last.baseline, scanId, ...changes })
  Object.assign(history, { last: sent, scanId, state: sent.isDelta ? applyDelta(state, sent) : stateOf(sent) })
  return sent
}

test.each([1, 2, 3, 4, 5, 6].slice(0, cases(2, 6)))('deltas of history %i are what full scans are', async (seed) => {
  const history = await start(seed)
  for (const count of [1, 8, 40, 0, 100]) {
    const sent = await step(history, count)
    expect(sent.note).toBe(undefined)
    expect(sent.isDelta).toBe(true)
    expect(linesOf(history.state)).toEqual(linesOf(liveState(history.simulator)))
  }
})

test.each([11, 12, 13].slice(0, cases(2, 3)))(
  'history %i with rules leaves out what a full scan leaves out',
  async (seed) => {
    const ignoredPaths = ['/show 0/reel 1', '/*/reel 2/shot 3', '**/shot 4', '/show 0/**/take.1*']
    const history = await start(seed, {}, { ignoredPaths })
    for (const count of [10, 60, 60]) {
      const sent = await step(history, count, { ignoredPaths })
      expect(sent.isDelta).toBe(true)
      const full = await scan(history.simulator, { ignoredPaths, scanId: 100 + history.scanId, volumeId: 2 })
      const isIgnored = pathRules(ignoredPaths)
      const only = (state: State): State => new Map([...state].filter(([path]) => !isIgnored(path)))
      expect(linesOf(only(history.state))).toEqual(linesOf(only(stateOf(full))))
    }
  },
)

test.each([
  ['flagged', 'all'],
  ['empty', 'added'],
  ['empty', 'all'],
  ['missing', 'all'],
] as const)('a history is right where paths are %s in entries: %s', async (unresolvedPathAs, unresolvedPathOf) => {
  const history = await start(31, { unresolvedPathEvery: 4, unresolvedPathAs, unresolvedPathOf })
  for (const count of [1, 5, 40]) {
    await step(history, count)
    expect(linesOf(history.state)).toEqual(linesOf(liveState(history.simulator)))
  }
})

test.each([21, 22])(
  'history %i is right too where changes of hard links are reported once and paths are missing',
  async (seed) => {
    const history = await start(seed, { hardLinks: 'once', movedAcrossRoot: 'subtree', unresolvedPathEvery: 5 })
    for (const count of [10, 40, 40]) {
      await step(history, count)
      expect(linesOf(history.state)).toEqual(linesOf(liveState(history.simulator)))
    }
  },
)
