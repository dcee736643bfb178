import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { nameOf } from './diskEntry.ts'
import { openLocal } from './index.ts'
import { kernelFolders } from './kernelFolders.ts'
import { sizeOf } from './statx.ts'
import { type SystemCalls, systemCalls } from './systemCalls.ts'

const hasGlibc =
  process.platform === 'linux' && 'glibcVersionRuntime' in (process.report.getReport() as never)['header']

test.runIf(hasGlibc)('a Linux with glibc is walked by its system calls', () => {
  expect(systemCalls).toBeDefined()
})

/** The calls of this machine, some of them others. */
const callsWith = (changes: Partial<SystemCalls>): SystemCalls => ({ ...(systemCalls as SystemCalls), ...changes })
const failing = (code: string) => () => Object.assign(new Error(`${code}: some words, getdents64`), { code })

describe.runIf(systemCalls)('by system calls', () => {
  test('entries belong to the opened folder, even if another one takes its place', () => {
    const root = testFolder()
    for (const [folder, text] of Object.entries({ folder: 'four', other: 'another' })) {
      mkdirSync(join(root, folder))
      for (const name of ['a', 'b', 'c']) writeFileSync(join(root, folder, name), text)
    }
    const sizes: number[] = []
    openLocal(root, kernelFolders(callsWith({}))).list('/folder', (entry) => {
      sizes.push(sizeOf(entry.stat))
      if (sizes.length > 1) return
      renameSync(join(root, 'folder'), join(root, 'away'))
      renameSync(join(root, 'other'), join(root, 'folder'))
    })
    expect(sizes).toEqual([4, 4, 4])
  })

  test('a listing that fails says why, after what it has shown', () => {
    let reads = 0
    const getdents64 = (...words: [number, number, number]) =>
      ++reads === 1 ? (systemCalls as SystemCalls).getdents64(...words) : -1
    const names: string[] = []
    const system = openLocal('/proc/self', kernelFolders(callsWith({ getdents64, failure: failing('EIO') })))
    expect(() => system.list('', (entry) => void names.push(nameOf(entry)))).toThrow(/^EIO: some words/)
    expect(names).toContain('status')
  })

  test('the real calls say why they failed as Node does, also where Node has no name for it', () => {
    const { statx, failure, address } = systemCalls as SystemCalls
    const name = Buffer.from(new ArrayBuffer(64))
    expect(statx(-1, address(name), 0, 0, address(name))).toBe(-1)
    expect(failure('statx')).toMatchObject({ code: 'ENOENT', message: 'ENOENT: no such file or directory, statx' })
    name.write('a')
    expect(statx(9_999, address(name), 0, 0, address(name))).toBe(-1)
    expect(failure('statx')).toMatchObject({ code: 'EBADF', message: 'EBADF: bad file descriptor, statx' })
  })
})

describe('where koffi cannot be loaded', () => {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, ...more) { if (name === 'koffi') throw new Error('not here'); return more[1](name, more[0]) } })`
  const run = (...words: string[]) => execFileSync(process.execPath, words, { encoding: 'utf8' })
  const withoutKoffi = `--import=data:text/javascript,${encodeURIComponent(hook)}`

  test('system calls are missing', () => {
    const print = `console.log((await import('${join(import.meta.dirname, 'systemCalls.ts')}')).systemCalls)`
    expect(run(withoutKoffi, '--input-type=module', '--eval', print)).toBe('undefined\n')
  })

  test('folders are walked by Node, and what is sent is the same', () => {
    const root = testFolder()
    mkdirSync(join(root, 'folder'))
    writeFileSync(join(root, 'folder/file'), 'four')
    // By whom the folders were looked at last is seen in their access times.
    const walk = (...options: string[]) =>
      JSON.parse(run(...options, join(import.meta.dirname, '../../testing/printWalk.ts'), root)).rows.map(
        ({ accessed, ...row }: Record<string, string>) => row,
      )
    const rows = walk(withoutKoffi)
    expect(rows).toHaveLength(5)
    expect(rows).toEqual(walk())
  })
})
