import { expect, test } from 'vitest'
import { hostOfProxy, proxyFor, readProxies } from './proxy.ts'

/** Host of the proxy for an address; undefined if it is reached directly. */
function way(address: string, env: NodeJS.ProcessEnv): string | undefined {
  const proxy = proxyFor(readProxies(env), new URL(address))
  return proxy && `${hostOfProxy(proxy)} ${proxy.variable}`
}
const both = { HTTPS_PROXY: 'http://safe:3128', HTTP_PROXY: 'http://plain:3128' }

test('each protocol has its proxy, and names in lower case win', () => {
  expect(way('https://b2.example.com', both)).toBe('safe:3128 HTTPS_PROXY')
  expect(way('http://b2.example.com', both)).toBe('plain:3128 HTTP_PROXY')
  expect(way('https://b2.example.com', { ...both, https_proxy: 'lower:1' })).toBe('lower:1 https_proxy')
  expect(way('https://b2.example.com', { HTTP_PROXY: 'http://plain:3128' })).toBeUndefined()
  expect(way('https://b2.example.com', { ...both, https_proxy: '' })).toBe('safe:3128 HTTPS_PROXY')
  expect(way('http://b2.example.com', { all_proxy: 'every:8' })).toBe('every:8 all_proxy')
  expect(way('http://b2.example.com', { all_proxy: 'socks5://every:8' })).toBeUndefined()
})

test('this machine is always reached directly', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', 'product.localhost'])
    expect(way(`https://${host}:9000`, both)).toBeUndefined()
})

test.each([
  ['*', 'any.example.com', true],
  ['example.com', 'example.com', true],
  ['example.com', 'deep.b2.example.com', true],
  ['example.com', 'notexample.com', false],
  ['.example.com', 'example.com', true],
  ['*.example.com', 'b2.example.com', true],
  ['EXAMPLE.com', 'b2.Example.COM', true],
  ['a.org, example.com', 'b2.example.com', true],
  ['a.org example.com', 'b2.example.com', true],
  ['example.com.', 'example.com', true],
  ['example.com:9000', 'example.com:9000', true],
  ['example.com:9000', 'example.com', false],
  ['example.com:443', 'example.com', true],
  ['10.0.0.0/8', '10.20.1.1', true],
  ['10.0.0.0/8', '11.20.1.1', false],
  ['10.1.1.1', '10.1.1.1:9000', true],
  ['10.1.1.1', '10.1.1.10', false],
  ['fd00::/8', '[fd12::1]', true],
  ['[fd12::1]', '[fd12::1]', true],
  ['fd12::1', '[fd12:0::1]:9000', true],
  ['', 'example.com', false],
])('NO_PROXY=%s, host %s: direct %s', (NO_PROXY, host, isDirect) => {
  expect(way(`https://${host}`, { ...both, NO_PROXY }) === undefined).toBe(isDirect)
})

test.each(['socks5://proxy:1080', 'http://', 'http://a b'])('%s is refused, and the variable named', (value) => {
  expect(() => readProxies({ https_proxy: value })).toThrow('https_proxy: must be the address of an HTTP proxy')
})
