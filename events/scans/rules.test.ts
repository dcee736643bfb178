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

test('** matches any number of folders', () => {
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

test('no rule takes long, however many wildcards it has and however nearly a path matches', () => {
  const a = (count: number) => 'a'.repeat(count)
  const folders = (name: string, count: number) => `/${name}`.repeat(count)
  const slow: [rule: string, path: string][] = [
    ['*a*a*a*a*b', `/${a(240)}`],
    ['*a*a*a*a*a*a*a*a*b', `/${a(240)}`],
    [`${'*a'.repeat(100)}b`, `/${a(250)}`],
    [`${'*?'.repeat(100)}b`, `/${a(250)}`],
    [`${'**/'.repeat(60)}b`, folders('a', 2_000)],
    [`${'**/a/'.repeat(60)}b`, folders('a', 2_000)],
    [`${'**/*a*a*/'.repeat(20)}b`, folders(a(60), 60)],
    [`${'**/*a*a*a*b/'.repeat(20)}c`, folders(`${a(60)}b`, 60)],
    [`${'*a*a*/'.repeat(40)}b`, folders(a(60), 60)],
    [`**/${'?'.repeat(200)}*b`, folders(a(240), 16)],
  ]
  for (const [rule, path] of slow) {
    const isMatched = pathRules([rule])
    const started = performance.now()
    expect([rule, isMatched(path)]).toEqual([rule, false])
    expect([rule, performance.now() - started < 1_000]).toEqual([rule, true])
  }
})

test('several wildcards in a name or path still match everything', () => {
  expect(matching(['*a*a*b'], ['/xaxaxb', '/aab', '/aabab', '/ab', '/aaba'])).toEqual(['/xaxaxb', '/aab', '/aabab'])
  expect(matching(['a*?*b*'], ['/a1b', '/ab', '/abb', '/a1c'])).toEqual(['/a1b', '/abb'])
  expect(matching(['**/a/**/b'], ['/a/b', '/x/a/y/z/b/c', '/a/a/b', '/b/a', '/a/bb'])).toEqual([
    '/a/b',
    '/x/a/y/z/b/c',
    '/a/a/b',
  ])
  expect(matching(['**/a/**/a/b/**'], ['/a/a/a/b/c', '/a/a/c/a/b/c', '/a/b/c', '/a/a/b'])).toEqual([
    '/a/a/a/b/c',
    '/a/a/c/a/b/c',
  ])
  expect(matching(['**/**'], ['/a', '/a/b'])).toEqual(['/a', '/a/b'])
})

test('ten thousand rules with several wildcards are one matcher', () => {
  const isMatched = pathRules(Array.from({ length: 10_000 }, (_, i) => `*a*${i}*a*z`))
  expect([isMatched('/a9999az'), isMatched('/a9999z')]).toEqual([true, false])
})
