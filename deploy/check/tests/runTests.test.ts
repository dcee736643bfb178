import { expect, test } from 'vitest'
import type { FileResult, Report } from './report.ts'
import { runTests } from './runTests.ts'

const file = (
  name: string,
  passed: number,
  failures: FileResult['failures'] = [],
  processorMs = 1_000,
): FileResult => ({ file: name, project: 'all', passed, failures, processorMs })

/** Runs tests with these reports in place of those of vitest, one per run. */
async function runWith(...reports: (Report | FileResult[])[]) {
  const counts = { passed: 0, failed: 0, lines: [] as string[] }
  const runs: (readonly string[])[] = []
  const isGood = await runTests({ projects: ['all'], maxProcessorMs: { all: 15_000 } }, counts, async (args) => {
    runs.push(args)
    const report = reports[runs.length - 1] ?? []
    return Array.isArray(report) ? { files: report, errors: [] } : report
  })
  return { isGood, runs, ...counts }
}

const ends = {
  test: 'a scan ends',
  message: '\u001B[31mError: it ended:\u001B[39m\nno port\n    at x',
}

test('a failed test that passes when its file runs alone is listed as flaky, and the run is green', async () => {
  const { isGood, passed, failed, lines, runs } = await runWith(
    [file('a.test.ts', 2), file('b.test.ts', 1, [ends])],
    [file('b.test.ts', 2)],
  )
  expect(lines).toEqual(['FLAKY b.test.ts > a scan ends'])
  expect({ isGood, passed, failed }).toEqual({ isGood: true, passed: 4, failed: 0 })
  expect(runs).toEqual([
    ['--project', 'all'],
    ['--project', 'all', 'b.test.ts', '--isolate', '--no-file-parallelism'],
  ])
})

test('a test that fails twice is named with its file and the first lines of its error, without colors and stack', async () => {
  const failing = [file('agent/b.test.ts', 1, [ends])]
  const { isGood, passed, failed, lines } = await runWith(failing, failing)
  expect(lines).toEqual(['FAILED agent/b.test.ts > a scan ends: Error: it ended:\n  no port'])
  expect({ isGood, passed, failed }).toEqual({ isGood: false, passed: 1, failed: 1 })
})

test('a file that fails outside its tests runs again as a whole', async () => {
  const broken = file('a.test.ts', 0, [{ message: 'Cannot find c.ts\nat a' }])
  const found = await runWith([broken], [file('a.test.ts', 3)])
  expect(found).toMatchObject({ isGood: true, passed: 3, lines: ['FLAKY a.test.ts'] })
  const missing = await runWith([broken, file('b.test.ts', 1)], [broken])
  expect(missing).toMatchObject({ isGood: false, lines: ['FAILED a.test.ts: Cannot find c.ts'] })
})

test('when many files fail, none runs again', async () => {
  const many = Array.from({ length: 11 }, (_, i) => file(`${i}.test.ts`, 1, [ends]))
  const { isGood, runs, failed } = await runWith(many)
  expect({ isGood, runs: runs.length, failed }).toEqual({ isGood: false, runs: 1, failed: 11 })
})

test('a run fails with errors outside of files, and without a passed test', async () => {
  const lost = 'Error: lost\n    at query (/d/node_modules/kysely/driver.js:3:1)\n    at read (/d/server/log.ts:7:9)'
  const outside = await runWith({ files: [file('a.test.ts', 1)], errors: [lost, 'Error: gone', lost] })
  const lines = ['FAILED vitest: Error: lost\n  at read (/d/server/log.ts:7:9)', 'FAILED vitest: Error: gone']
  expect(outside).toMatchObject({ isGood: false, lines })
  expect((await runWith([])).isGood).toBe(false)
})

test('a file that is twice over the limit of processor time fails the run, with its figure and the limit', async () => {
  const slow = file('a.test.ts', 1, [], 23_440)
  const found = await runWith([slow, file('b.test.ts', 1, [], 15_000)], [slow])
  expect(found).toMatchObject({
    isGood: false,
    failed: 0,
    lines: ['SLOW a.test.ts took 23.4 s of processor time, more than 15 s'],
  })
  expect(found.runs[1]).toEqual(['--project', 'all', 'a.test.ts', '--isolate', '--no-file-parallelism'])
  expect(await runWith([slow], [file('a.test.ts', 1)])).toMatchObject({ isGood: true, lines: [] })
  const repeated = await runWith([file('a.test.ts', 1, [ends], 23_440)], [file('a.test.ts', 2, [], 9_000)])
  expect(repeated).toMatchObject({ isGood: true, lines: ['FLAKY a.test.ts > a scan ends'] })
})
