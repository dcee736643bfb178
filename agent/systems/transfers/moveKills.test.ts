import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CopyRange } from '#events/actions/copies.ts'
import { digestRanges } from './digestRanges.ts'
import type { RemoveFile } from './deleteSources.ts'
import { Crashed } from '../../actions/testing/fileList.ts'
import { expectOnce, type Fixture, move, numbered, run, runWithCrash, withFiles } from './testing.ts'

const files = numbered(5)
const batchSize = 3

/** True if every file is in the source, or a copy of it is in the target. */
const isNothingLost = ({ transfers, folder }: Fixture) =>
  files.every((name) => existsSync(join(folder, name)) || transfers.file('st-2', `/incoming/${name}`))

/** Verified by a checksum of the service, or by the agent of the target storage. */
const verifications = { checksum: {}, content: { hasTarget: true, readings: { checksums: 'absent' } } } as const
type Verification = keyof typeof verifications

test.each([
  ['before', 'checksum'],
  ['after', 'checksum'],
  ['before', 'content'],
  ['after', 'content'],
] as const)('a move is killed %s each deletion, verified by %s', async (when, verification) => {
  for (let at = 1; at <= files.length; at++) {
    const fixture = await withFiles(files, verifications[verification])
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
async function movedWithKillAt(request: number, verification: Verification): Promise<Fixture | undefined> {
  const killed = new AbortController()
  let answers = 0
  const onAnswer = () => void (++answers === request && killed.abort(new Crashed()))
  const fixture = await withFiles(files, { ...verifications[verification], onAnswer })
  const options = { batchSize, changes: move, signal: killed.signal }
  const error = await run(fixture.transfers, fixture.list, options).catch((reason: unknown) => reason)
  if (!(error instanceof Crashed)) return undefined
  expect(isNothingLost(fixture)).toBe(true)
  await run(fixture.transfers, fixture.list, { batchSize, changes: move, attempt: 2 })
  return fixture
}

test.each(['checksum', 'content'] as const)('a move is killed at each of its requests (%s)', async (verification) => {
  let request = 1
  for (; request < 100; request++) {
    const fixture = await movedWithKillAt(request, verification)
    if (!fixture) break
    expectOnce(fixture, files, true)
    await fixture.transfers.close()
  }
  expect([request > 10, request < 100]).toEqual([true, true])
})

test.each(['before', 'after'] as const)('a move is killed %s each look at its copies', async (when) => {
  let at = 1
  for (let isOver = false; !isOver; at++) {
    const fixture = await withFiles(files, { ...verifications.content, readings: { fileList: 'absent' } })
    const root = fixture.target!
    const killed = new AbortController()
    let looks = 0
    const copies = async (ranges: CopyRange[]) => {
      const look = ++looks
      if (look === at && when === 'before') killed.abort(new Crashed())
      killed.signal.throwIfAborted()
      const digests = await digestRanges({ root, ranges: ranges.slice(0, 1) }, killed.signal)
      if (look === at) killed.abort(new Crashed())
      killed.signal.throwIfAborted()
      return [...digests, ...(await digestRanges({ root, ranges: ranges.slice(1) }, killed.signal))]
    }
    const options = { batchSize: 1, changes: move, copies }
    const error = await run(fixture.transfers, fixture.list, { ...options, signal: killed.signal }).catch(
      (reason: unknown) => reason,
    )
    isOver = !(error instanceof Crashed)
    expect(isNothingLost(fixture)).toBe(true)
    if (!isOver) await run(fixture.transfers, fixture.list, { batchSize: 1, changes: move, attempt: 2 })
    expectOnce(fixture, files, true)
    await fixture.transfers.close()
  }
  expect(at).toBe(files.length + 2)
})
