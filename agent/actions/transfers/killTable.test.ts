import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Crash, Crashed, type FileList } from '../testing/fileList.ts'
import type { TransfersSimulator } from './simulator/index.ts'
import { move, numbered, run, runWithCrash, statesOf, withFiles } from './testing.ts'

/** Two batches, each with two records: before it is sent, and with its outcomes. */
const files = numbered(5)
const batchSize = 3
const records = 4

const crashes: (Crash | undefined)[] = [
  undefined,
  ...Array.from({ length: records }, (_, i) => i + 1).flatMap((at) =>
    (['before', 'after'] as const).map((when) => ({ at, when })),
  ),
]

/** Faults of the first job, in addition to the crash of the agent. */
const faults: Record<string, (transfers: TransfersSimulator) => void> = {
  none: () => {},
  'lost answer': ({ faults }) => faults.loseAnswer('POST jobs'),
  'lost answer, and references are no filter': ({ faults, readings }) => {
    faults.loseAnswer('POST jobs')
    readings.referenceFilter = 'ignored'
  },
  'lost answer, references are refused, and keys are ignored': ({ faults, readings }) => {
    faults.loseAnswer('POST jobs')
    Object.assign(readings, { referenceFilter: 'refused', honorsIdempotencyKey: false })
  },
  'half an answer': ({ faults }) => faults.malformNext('POST jobs'),
  'request never processed': ({ faults }) => faults.failNext('POST jobs', 503),
  'no list of files for a moment': ({ faults }) => faults.failNext('GET jobs/j-1/files', 500, '', { times: 4 }),
}

type Fixture = Awaited<ReturnType<typeof withFiles>>

/** All files are done, each was copied once, and sources are gone in a move only. */
function expectOnce({ transfers, list, folder }: Fixture, isMove: boolean): void {
  expect(statesOf(list)).toEqual(files.map(() => 'done'))
  expect(files.map((name) => transfers.processed('st-1', `/${name}`).read)).toEqual(files.map(() => 1))
  expect(transfers.paths('st-2')).toEqual(files.map((name) => `/incoming/${name}`))
  expect(files.map((name) => existsSync(join(folder, name)))).toEqual(files.map(() => !isMove))
}

const kinds = [
  ['copy', {}],
  ['move by the agent', move],
  ['move by the service', { transferType: 'MOVE', deletedBy: 'service' }],
  ['copy with new names', { conflictHandling: 'RENAME' }],
] as const

for (const [kind, changes] of kinds)
  test.each(Object.keys(faults))(`${kind}: no crash loses a file or copies it twice, with: %s`, async (name) => {
    const attempts = []
    for (const crash of crashes) {
      const fixture = await withFiles(files)
      faults[name]?.(fixture.transfers)
      attempts.push(await runWithCrash(fixture.transfers, fixture.list, { batchSize, changes, crash }))
      expectOnce(fixture, kind.startsWith('move'))
      await fixture.transfers.close()
    }
    expect(attempts.filter((count) => count === 2).length).toBe(2 * records)
  })

/** True if every file is in the source, or a copy of it is in the target. */
const isNothingLost = ({ transfers, folder }: Fixture) =>
  files.every((name) => existsSync(join(folder, name)) || transfers.file('st-2', `/incoming/${name}`))

test.each(['before', 'after'])('a move is killed %s each deletion', async (when) => {
  for (let at = 1; at <= files.length; at++) {
    const fixture = await withFiles(files)
    let deletions = 0
    const remove = async (path: string) => {
      const isCrash = ++deletions === at
      if (isCrash && when === 'before') throw new Crashed()
      await unlink(path)
      if (isCrash) throw new Crashed()
    }
    expect(await runWithCrash(fixture.transfers, fixture.list, { batchSize, changes: move, remove })).toBe(2)
    expect(isNothingLost(fixture)).toBe(true)
    expectOnce(fixture, true)
    await fixture.transfers.close()
  }
})

async function runKilledAt(request: number, { isMove, list }: { isMove: boolean; list?: FileList }) {
  const ended = new AbortController()
  let answers = 0
  const fixture = await withFiles(files, {
    onAnswer: () => void (++answers === request && ended.abort(new Crashed())),
  })
  const changes = isMove ? move : {}
  const options = { batchSize, changes, signal: ended.signal }
  const isKilled = await run(fixture.transfers, list ?? fixture.list, options).then(
    () => false,
    (error: unknown) => error instanceof Crashed,
  )
  if (!isKilled) return undefined
  expect(isNothingLost(fixture)).toBe(true)
  await run(fixture.transfers, fixture.list, { batchSize, changes, attempt: 2 })
  return fixture
}

test.each([false, true])('the agent is killed at each of its requests, in a move: %s', async (isMove) => {
  let request = 1
  for (; request < 100; request++) {
    const fixture = await runKilledAt(request, { isMove })
    if (!fixture) break
    expectOnce(fixture, isMove)
    await fixture.transfers.close()
  }
  expect(request).toBeGreaterThan(10)
  expect(request).toBeLessThan(100)
})

test('an attempt that follows weeks later still finds the job', async () => {
  const fixture = await withFiles(files)
  const { transfers, list } = fixture
  await expect(run(transfers, list, { batchSize, crash: { at: 2, when: 'before' } })).rejects.toThrow(Crashed)
  transfers.clock.advance(20 * 86_400_000)
  await run(transfers, list, { batchSize, attempt: 2 })
  expectOnce(fixture, false)
  expect(transfers.jobs.all()).toHaveLength(2)
})
