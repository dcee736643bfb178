import { expect, test } from 'vitest'
import { skeletonOf } from './skeleton.ts'

test.each([
  ['admin', 'аdmin'],
  ['admin', 'аԁміn'.replace('м', 'm')],
  ['admin', 'ad\u200bmin'],
  ['admin', 'ａｄｍｉｎ'],
  ['admin', 'adrnin'],
  ['root', 'r00t'],
  ['Ivan', 'lvan'],
  ['paypal', 'раураl'],
  ['HELEN', 'НЕLЕN'],
  ['José', 'Jose\u0301'],
  ['ana  b', 'ana\u00a0b'],
  ['Νικος', 'Nικος'],
  ['administrator', 'аⅾｍіոіѕtгаtог'],
  ['limes11', 'Iimes11'],
])('%s and %s look alike', (one, other) => expect(skeletonOf(other)).toBe(skeletonOf(one)))

test.each([
  ['José', 'Jose'],
  ['anna.b', 'annab'],
  ['user-1', 'user-2'],
  ['Eli', 'Ella'],
  ['Анна', 'Anna'],
  ['田中', '田申'],
])('%s and %s do not', (one, other) => expect(skeletonOf(other)).not.toBe(skeletonOf(one)))
