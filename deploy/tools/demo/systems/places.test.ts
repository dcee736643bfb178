import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { isOfDemo, placesOf, writeJson } from './places.ts'

test('a demo opens its disks and simulated systems, and nothing else', () => {
  const data = testFolder('demo')
  const local = { kind: 'fileStorage', path: join(data, 'disks/edit-bay') }
  expect(isOfDemo(data, { connection: { url: 'http://127.0.0.1:4001' } })).toBe(false)
  mkdirSync(join(data, 'simulated'))
  writeJson(placesOf(data).systems, { hosts: { p5: '127.0.0.1:4001' }, isConnected: true })
  for (const order of [
    local,
    { root: local.path, ranges: [] },
    { kind: 'archive', connection: { url: 'http://127.0.0.1:4001', username: 'p5' } },
    { kind: 'powerScale', host: '127.0.0.1:4001', path: '/ifs/data' },
  ])
    expect(isOfDemo(data, order)).toBe(true)
  for (const order of [
    {},
    { kind: 'fileStorage', path: '/etc' },
    { root: join(data, 'keys') },
    { kind: 'archive', connection: { url: 'http://127.0.0.1:4002' } },
    { kind: 'archive', connection: { url: 'http://127.0.0.1:4001@p5.example.com' } },
    { kind: 'networkShare', path: local.path, mount: { host: 'nas02.example.com' } },
    { kind: 'bucket', store: { url: '', bucket: 'films' } },
  ])
    expect(isOfDemo(data, order)).toBe(false)
})
