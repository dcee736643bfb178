import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reasonsOf, statesOf } from '../../actions/testing/attempts.ts'
import { move, plannedAgain, run, withFiles } from './testing.ts'

const same = 'content of a'
const other = 'another content'

const modes = [
  // mode, move, existing content, paths, content at the target, state, source kept
  ['OVERWRITE', false, other, ['/incoming/a'], same, 'done', true],
  ['OVERWRITE', true, other, ['/incoming/a'], same, 'done', false],
  ['RENAME', false, other, ['/incoming/a', '/incoming/a 1'], other, 'done', true],
  ['RENAME', true, other, ['/incoming/a', '/incoming/a 1'], other, 'done', false],
  ['SKIP', false, other, ['/incoming/a'], other, 'failed', true],
  ['SKIP', false, same, ['/incoming/a'], same, 'done', true],
  ['SKIP', true, other, ['/incoming/a'], other, 'failed', true],
  ['SKIP', true, same, ['/incoming/a'], same, 'failed', true],
] as const

test.each(modes)('%s, in a move: %s, of an existing file with %j', async (mode, isMove, existing, ...expected) => {
  for (const skippedFiles of ['done', 'omitted'] as const) {
    const { transfers, list, folder } = await withFiles(['a', 'b'], { readings: { skippedFiles } })
    transfers.addFile('st-2', '/incoming/a', existing)
    const changes = { conflictHandling: mode, ...(isMove && move) }
    await run(transfers, list, { changes })
    const [paths, content, state, isKept] = expected
    expect(transfers.paths('st-2')).toEqual([...paths, '/incoming/b'])
    expect(transfers.file('st-2', '/incoming/a')?.content.toString()).toBe(content)
    expect(statesOf(list)).toEqual([state, 'done'])
    expect([existsSync(join(folder, 'a')), existsSync(join(folder, 'b'))]).toEqual([isKept, !isMove])
    expect(reasonsOf(list)[0]?.startsWith('Skipped')).toBe(state === 'failed')
  }
})

test('a copy that is repeated with SKIP is done', async () => {
  const { transfers, list } = await withFiles(['a', 'b'])
  await run(transfers, list)
  const again = plannedAgain(list)
  await run(transfers, again, { changes: { conflictHandling: 'SKIP' }, attempt: 2 })
  expect(statesOf(again)).toEqual(['done', 'done'])
  expect(['a', 'b'].map((name) => transfers.processed('st-1', `/${name}`).read)).toEqual([1, 1])
})

test('the service moves, and skipped sources stay and have failed', async () => {
  const { transfers, list, folder } = await withFiles(['a', 'b'])
  transfers.addFile('st-2', '/incoming/a', same)
  const changes = { transferType: 'MOVE', deletedBy: 'service', conflictHandling: 'SKIP' } as const
  await run(transfers, list, { changes })
  expect(statesOf(list)).toEqual(['failed', 'done'])
  expect([existsSync(join(folder, 'a')), existsSync(join(folder, 'b'))]).toEqual([true, false])
})
