import { expect, test } from 'vitest'
import { sizeText } from './sizeText.ts'

test('sizes are shown in readable units', () => {
  const texts = ['0 B', '1 B', '1023 B', '1.0 KiB', '1.5 TiB', '4.0 EiB']
  expect([0, 0.7, 1023, 1024, 1.5 * 1024 ** 4, 2 ** 62].map(sizeText)).toEqual(texts)
})
