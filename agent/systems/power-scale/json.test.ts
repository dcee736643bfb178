import { expect, test } from 'vitest'
import { encodePath, parseJson } from './json.ts'

const read = (text: string, encoding: BufferEncoding = 'utf8') => parseJson(Buffer.from(text, encoding))

test('integers above 2^53 are exact, other numbers are plain', () => {
  const text = '{"a":18446744073709551615,"b":-9007199254740993,"c":4299685993,"d":1.5,"e":[9007199254740992],"f":1e20}'
  expect(read(text)).toEqual({
    a: 18_446_744_073_709_551_615n,
    b: -9_007_199_254_740_993n,
    c: 4_299_685_993,
    d: 1.5,
    e: [9_007_199_254_740_992n],
    f: 1e20,
  })
  expect(read('{"name":"12345678901234567890"}')).toEqual({ name: '12345678901234567890' })
})

test('stray bytes of one name leave the other names of its page exact', () => {
  const page = Buffer.concat([
    Buffer.from('{"children":[{"name":"né 日本 🎬"},{"name":"a'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('"},{"name":"\uef80"}]}'),
  ])
  expect(parseJson(page)).toEqual({
    children: [{ name: 'né 日本 🎬' }, { name: 'a\uefff\uefc3' }, { name: '\uefee\uefbe\uef80' }],
  })
})

test('characters that represent stray bytes are kept apart, also as escapes', () => {
  expect(read(String.raw`["\uef80","\\uef80","\ud83c\udfac","\u00e9","\"","\udcff","\ud800"]`)).toEqual([
    '\uefee\uefbe\uef80',
    '\\uef80',
    '🎬',
    'é',
    '"',
    '\uefff',
    '\ufffd',
  ])
})

test('anything else than JSON throws', () => {
  for (const text of ['', '<html>', '{"a":']) expect(() => read(text)).toThrow(SyntaxError)
})

test('addresses have the bytes of names', () => {
  expect(encodePath('/a b/100%/né?#')).toBe('/a%20b/100%25/n%C3%A9%3F%23')
  expect(encodePath('/x\uefff y/\uefee\uefbe\uef80')).toBe('/x%FF%20y/%EE%BE%80')
})
