import { expect, test } from 'vitest'
import { pathRules } from './rules.ts'

const matching = (rules: string[], paths: string[]) => paths.filter(pathRules(rules))

test('a rule means its path and all below it, with or without the first slash', () => {
  for (const rule of ['/tmp', 'tmp', '/tmp/'])
    expect(matching([rule], ['/tmp', '/tmp/a', '/tmp2', '/a/tmp'])).toEqual(['/tmp', '/tmp/a'])
})

test('* and ? stay within a name', () => {
  expect(matching(['/home/?*.tmp'], ['/home/a.tmp', '/home/.tmp', '/home/a/b.tmp', '/home/a.tmp/b'])).toEqual([
    '/home/a.tmp',
    '/home/a.tmp/b',
  ])
  expect(matching(['/a?'], ['/a', '/ab', '/a/b', '/a\u{1f600}'])).toEqual(['/ab', '/a\u{1f600}'])
})

test('** stands for any number of folders', () => {
  expect(matching(['**/.git'], ['/.git', '/a/b/.git/c', '/a/x.git'])).toEqual(['/.git', '/a/b/.git/c'])
  expect(matching(['/a/**'], ['/a', '/a/b', '/a/b/c'])).toEqual(['/a/b', '/a/b/c'])
})

test('characters of regular expressions are only characters, and line ends are as others', () => {
  expect(matching(['/a+(b)[c].$'], ['/a+(b)[c].$', '/aab'])).toEqual(['/a+(b)[c].$'])
  expect(matching(['/a*b', '/'], ['/a\nb', '/c'])).toEqual(['/a\nb'])
})

test('a rule matches however the accents of a name are encoded, and escaped wildcards are characters', () => {
  const decomposed = '/Entwürfe/a'.normalize('NFD')
  expect(matching(['/Entwürfe'], [decomposed, '/Entwürfe', '/Entwurfe'])).toEqual([decomposed, '/Entwürfe'])
  expect(matching(['/Entwürfe'.normalize('NFD')], ['/Entwürfe'])).toEqual(['/Entwürfe'])
  expect(matching([String.raw`/what\?`], ['/what?', '/whats'])).toEqual(['/what?'])
  expect(matching([String.raw`/a\**`], ['/a*', '/a*b', '/ab'])).toEqual(['/a*', '/a*b'])
})
