import { expect, test } from 'vitest'
import { callsTo } from '../testing.ts'
import { simulator } from '../simulator/testing.ts'
import { newFileList } from '../../../actions/testing/fileList.ts'
import { run } from './testing.ts'

test('an archive of many files needs a few requests for each thousand', async () => {
  const p5 = await simulator()
  p5.addClient('studio')
  const count = 5_000
  const list = newFileList(
    Array.from({ length: count }, (_, i) => ({
      place: `/mnt/media/folder ${i % 700}/clip ${i}.mov`,
      size: 1_000,
      modified: 1.7e9,
    })),
  )
  await run(p5, 'archive', list)
  expect(list.places('done')).toHaveLength(count)
  expect(callsTo(p5).filter((call) => call.startsWith('POST'))).toHaveLength(count / 1_000)
  expect(callsTo(p5).length).toBeLessThan((4 * count) / 1_000)
})
