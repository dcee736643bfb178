import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryCeiling } from '#server/platform/clickhouse/embedded.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { findMemoryLimit } from './memory.ts'

const gigabyte = 1024 ** 3

function limitOf(files: Record<string, string>, total = 24 * gigabyte) {
  const root = testFolder('machine')
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const { bytes, source } = findMemoryLimit({ root, total })
  return [bytes / gigabyte, source]
}
const version2 = (group: string, mounted = '/') => ({
  '/proc/self/cgroup': `0::${group}\n`,
  '/proc/self/mountinfo': `30 20 0:26 ${mounted} /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n`,
})
const version1 = (group: string, mounted = '/') => ({
  '/proc/self/cgroup': `5:cpu,cpuacct:/other\n4:memory:${group}\n0::/\n`,
  '/proc/self/mountinfo': `35 31 0:32 ${mounted} /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n`,
})

test('without control groups the memory of the machine counts', () => {
  expect(limitOf({})).toEqual([24, 'machine'])
  expect(limitOf({ ...version2('/'), '/sys/fs/cgroup/cgroup.controllers': 'memory' })).toEqual([24, 'machine'])
})

test('version 2: the smallest limit of the group and those above it counts, and max is none', () => {
  const limits = {
    ...version2('/system.slice/product.service'),
    '/sys/fs/cgroup/system.slice/memory.max': `${1.5 * gigabyte}\n`,
    '/sys/fs/cgroup/system.slice/product.service/memory.max': 'max\n',
  }
  expect(limitOf(limits)).toEqual([1.5, 'cgroup'])
  const high = { ...limits, '/sys/fs/cgroup/system.slice/product.service/memory.high': `${gigabyte}\n` }
  expect(limitOf(high)).toEqual([1, 'cgroup'])
})

test('version 2: a container sees its group as the root', () => {
  expect(limitOf({ ...version2('/'), '/sys/fs/cgroup/memory.max': `${2 * gigabyte}` })).toEqual([2, 'cgroup'])
  const hostPath = { ...version2('/docker/abc', '/docker/abc'), '/sys/fs/cgroup/memory.max': `${2 * gigabyte}` }
  expect(limitOf(hostPath)).toEqual([2, 'cgroup'])
  expect(limitOf({ ...version2('/../../x'), '/sys/fs/cgroup/memory.max': `${2 * gigabyte}` })).toEqual([2, 'cgroup'])
})

test('version 1: a huge number does not set a limit', () => {
  const file = '/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes'
  expect(limitOf({ ...version1('/docker/abc'), [file]: '9223372036854771712\n' })).toEqual([24, 'machine'])
  expect(limitOf({ ...version1('/docker/abc'), [file]: `${3 * gigabyte}\n` })).toEqual([3, 'cgroup'])
  const inside = { '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${3 * gigabyte}\n` }
  expect(limitOf({ ...version1('/docker/abc', '/docker/abc'), ...inside })).toEqual([3, 'cgroup'])
})

test('a limit above the memory of the machine is none', () => {
  const limit = `${64 * gigabyte}\n`
  expect(limitOf({ ...version2('/'), '/sys/fs/cgroup/memory.max': limit })).toEqual([24, 'machine'])
  const file = '/sys/fs/cgroup/memory/memory.limit_in_bytes'
  expect(limitOf({ ...version1('/docker/abc', '/docker/abc'), [file]: limit })).toEqual([24, 'machine'])
})

test('a container in a container: the limit of the outer one counts if it is smaller', () => {
  const nested = {
    ...version2('/inner/init'),
    '/sys/fs/cgroup/memory.max': `${2 * gigabyte}\n`,
    '/sys/fs/cgroup/inner/memory.max': `${6 * gigabyte}\n`,
    '/sys/fs/cgroup/inner/init/memory.max': 'max\n',
  }
  expect(limitOf(nested)).toEqual([2, 'cgroup'])
  const byPod = {
    ...version1('/kubepods/burstable/pod1/abc'),
    '/sys/fs/cgroup/memory/kubepods/burstable/pod1/memory.limit_in_bytes': `${3 * gigabyte}\n`,
    '/sys/fs/cgroup/memory/kubepods/burstable/pod1/abc/memory.limit_in_bytes': '9223372036854771712\n',
  }
  expect(limitOf(byPod)).toEqual([3, 'cgroup'])
})

test('a machine with both versions: that with the controller of memory counts', () => {
  const hybrid = {
    '/proc/self/cgroup': '4:memory:/docker/abc\n0::/docker/abc\n',
    '/proc/self/mountinfo': [
      '30 25 0:26 /docker/abc /sys/fs/cgroup/unified ro - cgroup2 cgroup2 rw,nsdelegate',
      '35 25 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory',
    ].join('\n'),
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${2 * gigabyte}\n`,
  }
  expect(limitOf(hybrid)).toEqual([2, 'cgroup'])
})

test('the embedded engine may use half of the limit, and leaves the rest to the server, its agent and Postgres', () => {
  const [limit] = limitOf({ ...version2('/'), '/sys/fs/cgroup/memory.max': `${2 * gigabyte}` }) as [number, string]
  expect(memoryCeiling(limit * gigabyte)).toBe(gigabyte)
  expect(memoryCeiling(100 * gigabyte)).toBe(4 * gigabyte)
})
