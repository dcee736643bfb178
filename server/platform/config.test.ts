import { realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { readConfig } from './config.ts'

const starts = (environment: NodeJS.ProcessEnv) => () => readConfig(environment)
const refused = /HOST: 0\.0\.0\.0 is reachable over plain HTTP.*TRUSTED_PROXIES.*ALLOW_PLAIN_HTTP=true/

test('a server that the network reaches by plain http only starts if that is allowed', () => {
  expect(starts({ HOST: '0.0.0.0' })).toThrow(refused)
  expect(starts({ HOST: '0.0.0.0', ALLOW_PLAIN_HTTP: 'false' })).toThrow(refused)
  expect(starts({ HOST: '0.0.0.0', ALLOW_PLAIN_HTTP: 'yes' })).toThrow(/ALLOW_PLAIN_HTTP/)
  for (const HOST of ['::', '192.0.2.1', 'storage.example.com', '127.0.0.1.example.com', '::ffff:192.0.2.1'])
    expect(starts({ HOST })).toThrow(`HOST: ${HOST} is reachable`)
  expect(readConfig({ HOST: '0.0.0.0', ALLOW_PLAIN_HTTP: 'true' }).host).toBe('0.0.0.0')
})

test('behind a proxy that is named it may listen anywhere, and on the loopback in any case', () => {
  expect(readConfig({ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.2' }).trustedProxies).toEqual(['10.0.0.2'])
  expect(starts({ HOST: '0.0.0.0', TRUSTED_PROXIES: ' ,' })).toThrow(refused)
  for (const HOST of ['127.0.0.1', '127.8.8.8', '::1', 'localhost', '']) expect(starts({ HOST })).not.toThrow()
})

test('a data folder has one path, with any link to it and whether it exists or not', () => {
  const folder = realpathSync(testFolder('config'))
  symlinkSync(folder, join(folder, 'link'))
  expect(readConfig({ DATAINTELL_DATA: join(folder, 'link') }).data).toBe(folder)
  expect(readConfig({ DATAINTELL_DATA: join(folder, 'link/new/data') }).data).toBe(join(folder, 'new/data'))
})

test('an invalid address is reported instead of throwing', () => {
  expect(starts({ OIDC_ISSUER: 'nonsense' })).toThrow('OIDC_ISSUER: must be an https address')
  expect(starts({ DROPBOX_API: 'http://dropbox.example.com' })).toThrow('DROPBOX_API: must be an https address')
  expect(readConfig({ DROPBOX_API: 'http://127.0.0.1:9/' }).dropboxApi).toBe('http://127.0.0.1:9')
})
