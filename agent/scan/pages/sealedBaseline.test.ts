import { expect, test } from 'vitest'
import { orderOf } from '../../testing/walked.ts'
import { openBaseline, sealBaseline } from './sealedBaseline.ts'

test('a baseline counts for scans with the same rules that record every file', () => {
  const open = (changes = {}) => {
    const order = orderOf('', changes)
    const compareWith = { scan: 1, baseline: sealBaseline(orderOf(''), 'state'), isCheck: false }
    return openBaseline({ ...order, compareWith })
  }
  expect(open()).toEqual({ baseline: 'state' })
  expect(open({ ignoredPaths: ['/tmp'] }).note).toMatch('settings')
  expect(open({ indexFolderOnlyPaths: ['/tmp'] }).note).toMatch('without their files')
  expect(openBaseline(orderOf(''))).toEqual({})
})
