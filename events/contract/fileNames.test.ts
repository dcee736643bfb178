import { expect, test } from 'vitest'
import { bytesOfName, hasStray, nameFromBytes } from './fileNames.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

test('names that are UTF-8 stay as they are', () => {
  for (const name of ['plain', 'ünïcödé 文件 😀', '\ufeffwith a mark', '\ufffd', 'a\nb\tc', 'e\u0301', '\u{10ffff}']) {
    expect(nameFromBytes(Buffer.from(name))).toBe(name)
    expect(bytesOfName(name)).toEqual(Buffer.from(name))
    expect(hasStray(name)).toBe(false)
  }
})

test('each byte that is not UTF-8 becomes one character, and the rest stays readable', () => {
  expect(nameFromBytes(bytes('caf\xe9 au lait'))).toBe('caf\uefe9 au lait')
  expect(nameFromBytes(bytes('\x80\xff'))).toBe('\uef80\uefff')
  expect(nameFromBytes(bytes('\xe2\x82'))).toBe('\uefe2\uef82')
  expect(nameFromBytes(bytes('\xc3('))).toBe('\uefc3(')
  expect(nameFromBytes(bytes('\xed\xa0\x80'))).toBe('\uefed\uefa0\uef80')
  expect(nameFromBytes(bytes('\xc0\xaf'))).toBe('\uefc0\uefaf')
  expect(nameFromBytes(bytes('\xf4\x90\x80\x80\xf0\x9f'))).toBe('\ueff4\uef90\uef80\uef80\ueff0\uef9f')
})

test('a name that has one of our characters crosses as bytes too, so that no two names become one', () => {
  const genuine = Buffer.from('\uef80')
  expect(nameFromBytes(genuine)).toBe('\uefee\uefbe\uef80')
  expect(bytesOfName(nameFromBytes(genuine))).toEqual(genuine)
  expect(nameFromBytes(genuine)).not.toBe(nameFromBytes(bytes('\x80')))
})

test('every sequence of three bytes gives the same bytes again', () => {
  const interesting = [0x01, 0x2f, 0x41, 0x7f, 0x80, 0x9f, 0xa0, 0xbe, 0xbf, 0xc0, 0xc2, 0xc3, 0xe0, 0xed, 0xee, 0xef]
  interesting.push(0xf0, 0xf4, 0xf5, 0xff)
  const names = interesting.flatMap((a) => interesting.flatMap((b) => interesting.map((c) => Buffer.from([a, b, c]))))
  const texts = names.map(nameFromBytes)
  expect(texts.map((text) => bytesOfName(text).toString('hex'))).toEqual(names.map((name) => name.toString('hex')))
  expect(new Set(texts).size).toBe(names.length)
})
