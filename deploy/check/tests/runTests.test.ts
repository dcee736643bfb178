import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { failuresOf } from './steps.ts'

test('a failed test is named with its file and the first lines of its error, without colours and stack', () => {
  const failed = {
    fullName: 'a scan ends',
    status: 'failed',
    failureMessages: ['\u001B[31mError: it ended:\u001B[39m\nno port\n    at x'],
  }
  const passed = { fullName: 'a scan begins', status: 'passed', failureMessages: [] }
  const file = {
    name: resolve('agent/scan.test.ts'),
    status: 'failed',
    message: '',
    assertionResults: [passed, failed],
  }
  expect(failuresOf({ testResults: [file] })).toEqual([
    'FAILED agent/scan.test.ts > a scan ends: Error: it ended:\n  no port',
  ])
})

test('a file that failed before its tests is named, and one that passed is not', () => {
  const broken = {
    name: resolve('a.test.ts'),
    status: 'failed',
    message: 'Cannot find b.ts\nat a',
    assertionResults: [],
  }
  const good = { name: resolve('c.test.ts'), status: 'passed', message: '', assertionResults: [] }
  expect(failuresOf({ testResults: [broken, good] })).toEqual(['FAILED a.test.ts: Cannot find b.ts'])
})
