import { expect, test } from 'vitest'
import type { ArchiwareSimulator } from '../simulator/index.ts'
import type { Crash, FileList } from '../../../actions/testing/fileList.ts'
import { statesOf } from '../../../actions/testing/attempts.ts'
import { numbered, runWithCrash, timesProcessed, withArchived, withFiles } from './testing.ts'

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

/** Faults of the first submission or its job, in addition to the crash of the agent. */
const faults: Record<string, (p5: ArchiwareSimulator) => void> = {
  none: () => {},
  'lost answer': ({ faults }) => faults.loseAnswer('POST'),
  'lost request': ({ faults }) => faults.dropRequest('POST'),
  'lost answer, and the description is a label': ({ faults, behavior }) => {
    faults.loseAnswer('POST')
    behavior.titleField = 'label'
  },
  terminated: (p5) => p5.scriptNextJob({ ends: 'terminated', filesBeforeEnd: 2 }),
}

/** All files are done, and no file was lost or processed twice. */
function expectOnce(p5: ArchiwareSimulator, list: FileList): void {
  expect(statesOf(list)).toEqual(files.map(() => 'done'))
  expect([...timesProcessed(p5).values()]).toEqual(files.map(() => 1))
}

const kinds = [
  ['archive', withFiles, {}],
  ['restore', withArchived, { relocate: '/mnt/media/target' }],
] as const

for (const [kind, prepare, changes] of kinds)
  test.each(Object.keys(faults))(`${kind}: no crash loses a file or processes it twice, with: %s`, async (name) => {
    const attempts = []
    for (const crash of crashes) {
      const { p5, list } = await prepare(files)
      faults[name]?.(p5)
      attempts.push(await runWithCrash(p5, kind, list, { batchSize, changes, ...(crash && { crash }) }))
      expectOnce(p5, list)
      p5.close()
    }
    expect(attempts.filter((count) => count === 2).length).toBe(2 * records)
  })

test('an attempt that follows weeks later still finds the job', async () => {
  const { p5, list } = await withFiles(files)
  const crash = { at: 2, when: 'before' } as const
  const beforeRetry = () => p5.clock.advance(20 * 86_400_000)
  await runWithCrash(p5, 'archive', list, { crash, beforeRetry })
  expectOnce(p5, list)
  expect(p5.jobs.all()).toHaveLength(1)
})
