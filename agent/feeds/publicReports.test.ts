import { closeSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { followed, ways } from './testing.ts'

/* Public reports about watchers that lost or invented changes. Each is done again here, with changes before and after each listing. */

describe.each(ways)('%s', (way) => {
  // https://github.com/emcrisostomo/fswatch/issues/330, https://github.com/Axosoft/nsfw/issues/60
  test('files are seen in new folders that are filled at once', async () => {
    const root = testFolder()
    const { step, quiet, differences } = await followed(root, { way })
    for (let n = 0; n < 20; n++) {
      mkdirSync(join(root, `${n}/b/c/d/e/f`), { recursive: true })
      writeFileSync(join(root, `${n}/b/c/d/e/f/file`), '')
      step(400)
      writeFileSync(join(root, `${n}/b/c/d/later`), '')
    }
    quiet()
    expect(await differences()).toEqual([])
  })

  // https://github.com/inotify-tools/inotify-tools/issues/130, https://github.com/fsnotify/fsnotify/issues/694
  test('changes below a renamed folder are seen at its new path', async () => {
    const root = testFolder()
    mkdirSync(join(root, 'a1/a2/a3/a4'), { recursive: true })
    const { step, quiet, differences } = await followed(root, { way })
    for (const [from, to] of [
      ['a1', 'b1'],
      ['b1', 'c1'],
    ] as const) {
      writeFileSync(join(root, `${from}/a2/a3/a4/before`), from)
      renameSync(join(root, from), join(root, to))
      writeFileSync(join(root, `${to}/a2/a3/a4/after`), to)
      step()
      writeFileSync(join(root, `${to}/a2/a3/${to}`), '')
      step(5_000)
      writeFileSync(join(root, `${to}/a2/a3/a4/late`), '')
    }
    quiet()
    expect(await differences()).toEqual([])
  })

  // https://github.com/syncthing/syncthing/issues/9612, https://github.com/inotify-tools/inotify-tools/issues/221
  test('a folder that takes the place of a deleted or renamed one is followed, also while the old one is open', async () => {
    const root = testFolder()
    mkdirSync(join(root, 'abc/sub'), { recursive: true })
    mkdirSync(join(root, 'renamed'))
    const { step, quiet, differences } = await followed(root, { way })
    const open = openSync(join(root, 'abc'), 'r')
    rmSync(join(root, 'abc'), { recursive: true })
    mkdirSync(join(root, 'abc/sub'), { recursive: true })
    renameSync(join(root, 'renamed'), join(root, 'other'))
    mkdirSync(join(root, 'renamed'))
    quiet()
    for (const path of ['abc/file', 'abc/sub/file', 'renamed/file', 'other/file']) writeFileSync(join(root, path), '')
    step()
    closeSync(open)
    quiet()
    expect(await differences()).toEqual([])
  })

  // https://github.com/atom/watcher/issues/35
  test('a folder with contents that is moved into the storage is listed, and one that is moved out is not followed', async () => {
    const outside = testFolder()
    const root = testFolder()
    mkdirSync(join(outside, 'in/deep'), { recursive: true })
    writeFileSync(join(outside, 'in/deep/file'), '')
    mkdirSync(join(root, 'out/deep'), { recursive: true })
    const { quiet, differences, server } = await followed(root, { way })
    renameSync(join(outside, 'in'), join(root, 'in'))
    renameSync(join(root, 'out'), join(outside, 'out'))
    quiet()
    expect(await differences()).toEqual([])
    server.flushes.length = 0
    writeFileSync(join(outside, 'out/deep/file'), '')
    writeFileSync(join(root, 'in/deep/more'), '')
    quiet()
    expect(server.flushes.flat().some((path) => path.startsWith('/out'))).toBe(false)
    expect(await differences()).toEqual([])
  })

  test('a hard link and its folders are as a scan has them', async () => {
    const root = testFolder()
    for (const path of ['a', 'b', 'c']) mkdirSync(join(root, path))
    writeFileSync(join(root, 'a/file'), 'one')
    const { quiet, differences } = await followed(root, { way })
    linkSync(join(root, 'a/file'), join(root, 'b/file'))
    quiet()
    writeFileSync(join(root, 'b/file'), 'longer')
    rmSync(join(root, 'a/file'))
    linkSync(join(root, 'b/file'), join(root, 'c/file'))
    quiet()
    expect(await differences()).toEqual([])
  })
})
