import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { importFile } from './replay/importFile.ts'
import { readOrder } from './replay/readOrder.ts'

const folder = testFolder('replay')
const file = (name: string, lines: unknown[]) => {
  const path = join(folder, name)
  writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return path
}
const event = (position: number, stream: string, data: object & { type: string }) => {
  const at = '2026-01-01T00:00:00.000Z'
  return { position, stream, version: 1, type: data.type, actor: 'ana', address: null, at, data: { at, ...data } }
}
const order = {
  type: 'JobQueued',
  jobId: 4,
  jobType: 'SCAN_ON_PREMISES',
  serverId: 1,
  payload: { volumes: [1], cloneIndex: true },
}

const fold = async (path: string) => {
  const printed: string[] = []
  return { code: await importFile(path, (line) => printed.push(line)), printed: printed.join('\n') }
}

test('a file of events is folded in memory and summed up', async () => {
  const lines = [
    event(3, 'job-4', order),
    '',
    event(9, 'job-5', { type: 'TaskFailed' }),
    event(12, 'volume-1', { type: 'Created' }),
  ]
  const { code, printed } = await fold(file('good.ndjson', lines))
  expect(code).toBe(0)
  expect(printed).toMatch(/^3 events, positions 3 to 12/)
  expect(printed).toMatch(/1 of them is a failure\n3 streams, 2 of them jobs: 1 NEW, 1 without a beginning$/)
})

test('an invalid file is reported with its line, and a missing one as missing', async () => {
  const twice = [event(3, 'job-4', order), event(3, 'job-4', order)]
  expect(await fold(file('twice.ndjson', twice))).toMatchObject({
    code: 1,
    printed: expect.stringContaining('Line 2: '),
  })
  expect(await fold(file('text.ndjson', ['', '{']))).toMatchObject({
    code: 1,
    printed: expect.stringContaining('Line 2: '),
  })
  expect(await fold(join(folder, 'none'))).toMatchObject({ code: 1, printed: expect.stringContaining('ENOENT') })
  expect(await fold(file('empty.ndjson', []))).toEqual({ code: 0, printed: 'The file contains no events' })
})

test('arguments are parsed, and refused if they make no sense', () => {
  const defaults = { check: false, stream: undefined, until: undefined, file: undefined }
  expect(readOrder([])).toEqual(defaults)
  expect(readOrder(['--check', '--stream', 'job-4'])).toEqual({ ...defaults, check: true, stream: 'job-4' })
  expect(readOrder(['--until', '42'])).toEqual({ ...defaults, until: { position: 42 } })
  const at = new Date('2026-01-01T12:00:00.000Z')
  expect(readOrder(['--until', at.toISOString()])).toEqual({ ...defaults, until: { at } })
  const invalid = [
    ['--untl', '4'],
    ['--until', 'noon'],
    ['--until', '2026-13-45'],
    ['--until'],
    ['--check', '--until', '4'],
    ['--import', 'f', '--check'],
    ['more'],
  ]
  for (const args of invalid) expect(readOrder(args)).toHaveProperty('wrong')
})
