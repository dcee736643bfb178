import { expect, test } from 'vitest'
import { createJob, runJob, withFiles } from './testing.ts'

test('the files of a job are listed in pages, with their results', async () => {
  const { transfers, ask } = await withFiles()
  transfers.addFile('st-2', '/incoming/b', 'existing')
  transfers.failFile('st-1', '/c', 'read', 'Bad block')
  await runJob(transfers, ask, { paths: ['/a', '/b', '/c'], conflictHandling: 'SKIP' })
  const { data, links } = (await ask('GET jobs/j-1/files?page[size]=2')).body
  expect(data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
    { source: '/a', target: '/incoming/a', state: 'COPIED', message: '', size: 2, checksum: expect.any(String) },
    { source: '/b', target: '/incoming/b', state: 'SKIPPED', message: '', size: 8, checksum: expect.any(String) },
  ])
  const last = (await ask(`GET ${links.next.slice(1)}`)).body
  expect(last).toMatchObject({ links: {}, meta: { pageInfo: { hasNextPage: false } } })
  expect(last.data[0].attributes).toMatchObject({ state: 'FAILED', message: 'Bad block', size: null, checksum: null })
  Object.assign(transfers.readings, { checksums: 'absent', lastLink: 'null' })
  const whole = (await ask('GET jobs/j-1/files')).body
  expect([whole.data.length, whole.data[0].attributes.checksum, whole.links]).toEqual([3, null, { next: null }])
  expect((await ask('GET jobs/j-1/files?page[after]=x')).status).toBe(400)
  expect((await ask('GET jobs/j-9/files')).status).toBe(404)
  transfers.readings.fileList = 'absent'
  expect((await ask('GET jobs/j-1/files')).status).toBe(404)
})

test('a file of a move counts as copied once its source was deleted', async () => {
  const { transfers, ask } = await withFiles()
  transfers.scriptNextJob({ deleteMs: 60_000 })
  await createJob(ask, { paths: ['/a', '/b'], transferType: 'MOVE' })
  const states = async () =>
    (await ask('GET jobs/j-1/files')).body.data.map(
      ({ attributes }: { attributes: { state: string } }) => attributes.state,
    )
  transfers.clock.advance(10_000)
  expect(await states()).toEqual(['FAILED', 'WAITING'])
  transfers.clock.advance(3_600_000)
  expect(await states()).toEqual(['COPIED', 'COPIED'])
})
