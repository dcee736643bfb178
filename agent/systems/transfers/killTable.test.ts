import { expect, test } from 'vitest'
import { type Crash, Crashed } from '../../actions/testing/fileList.ts'
import type { TransfersSimulator } from './simulator/index.ts'
import { expectOnce, move, numbered, run, runWithCrash, withFiles } from './testing.ts'

/** Two batches, each with two records: before it is sent, and with its outcomes. */
const files = numbered(5)
const batchSize = 3

const crashesAt = (...steps: number[]): (Crash | undefined)[] => [
  undefined,
  ...steps.flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))),
]
const allCrashes = crashesAt(1, 2, 3, 4)
/** Crashes while the first job, which has the fault, matters. */
const firstCrashes = crashesAt(1, 2)

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

/** The agent reads the copies, since the service lists nothing about them. */
const unlisted = { hasTarget: true, readings: { fileList: 'absent' } } as const

const allFaults = Object.keys(faults)
const kinds = [
  ['copy', {}, allFaults],
  ['move by the agent', move, allFaults],
  ['move with copies that an agent reads', move, allFaults],
  ['move by the service', { transferType: 'MOVE', deletedBy: 'service' }, ['none', 'lost answer']],
  ['copy with new names', { conflictHandling: 'RENAME' }, ['none', 'lost answer']],
] as const

for (const [kind, changes, names] of kinds)
  test.each(names)(`${kind}: no crash loses a file or copies it twice, with: %s`, async (name) => {
    const crashes = name === 'none' ? allCrashes : firstCrashes
    const attempts = []
    for (const crash of crashes) {
      const fixture = await withFiles(files, kind.includes('reads') ? unlisted : {})
      faults[name]?.(fixture.transfers)
      attempts.push(await runWithCrash(fixture.transfers, fixture.list, { batchSize, changes, crash }))
      expectOnce(fixture, files, kind.startsWith('move'))
      await fixture.transfers.close()
    }
    expect(attempts).toEqual(crashes.map((crash) => (crash ? 2 : 1)))
  })

test('an attempt that follows weeks later still finds the job', async () => {
  const fixture = await withFiles(files)
  const { transfers, list } = fixture
  await expect(run(transfers, list, { batchSize, crash: { at: 2, when: 'before' } })).rejects.toThrow(Crashed)
  transfers.clock.advance(20 * 86_400_000)
  await run(transfers, list, { batchSize, attempt: 2 })
  expectOnce(fixture, files, false)
  expect(transfers.jobs.all()).toHaveLength(2)
})
