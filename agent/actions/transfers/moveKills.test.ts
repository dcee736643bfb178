import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RemoveFile } from './deleteSources.ts'
import { Crashed } from '../testing/fileList.ts'
import { expectOnce, type Fixture, move, numbered, run, runWithCrash, withFiles } from './testing.ts'

const files = numbered(5)
const batchSize = 3

/** True if every file is in the source, or a copy of it is in the target. */
const isNothingLost = ({ transfers, folder }: Fixture) =>
  files.every((name) => existsSync(join(folder, name)) || transfers.file('st-2', `/incoming/${name}`))

test.each(['before', 'after'])('a move is killed %s each deletion', async (when) => {
  for (let at = 1; at <= files.length; at++) {
    const fixture = await withFiles(files)
    let deletions = 0
    const remove: RemoveFile = async (path) => {
      const isCrash = ++deletions === at
      if (isCrash && when === 'before') throw new Crashed()
      await unlink(path)
      if (isCrash) throw new Crashed()
    }
    expect(await runWithCrash(fixture.transfers, fixture.list, { batchSize, changes: move, remove })).toBe(2)
    expect(isNothingLost(fixture)).toBe(true)
    expectOnce(fixture, files, true)
    await fixture.transfers.close()
  }
})

/** A move whose agent is killed when a request was answered; undefined if there are fewer requests. */
async function movedWithKillAt(request: number): Promise<Fixture | undefined> {
  const killed = new AbortController()
  let answers = 0
  const onAnswer = () => void (++answers === request && killed.abort(new Crashed()))
  const fixture = await withFiles(files, { onAnswer })
  const options = { batchSize, changes: move, signal: killed.signal }
  const error = await run(fixture.transfers, fixture.list, options).catch((reason: unknown) => reason)
  if (!(error instanceof Crashed)) return undefined
  expect(isNothingLost(fixture)).toBe(true)
  await run(fixture.transfers, fixture.list, { batchSize, changes: move, attempt: 2 })
  return fixture
}

test('a move is killed at each of its requests', async () => {
  let request = 1
  for (; request < 100; request++) {
    const fixture = await movedWithKillAt(request)
    if (!fixture) break
    expectOnce(fixture, files, true)
    await fixture.transfers.close()
  }
  expect([request > 10, request < 100]).toEqual([true, true])
})
