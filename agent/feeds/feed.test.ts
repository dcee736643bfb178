import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { changeTree } from '#agent/testing/changeTree.ts'
import { deepName, makeDeepTree, makeOddTree } from '#agent/testing/oddTree.ts'
import { followed, ways } from './testing.ts'

describe.each(ways)('%s', (way) => {
  test('reports new, changed, renamed and deleted files and folders', async () => {
    const root = testFolder()
    makeOddTree(root)
    const feed = await followed(root, { way })
    expect(feed.feed.status()).toMatchObject({ state: 'LIVE', behindMs: 0 })
    writeFileSync(join(root, 'new'), 'file')
    mkdirSync(join(root, 'a/b/new/deep'), { recursive: true })
    writeFileSync(join(root, 'a/b/new/deep/file'), 'x')
    writeFileSync(join(root, 'other/sparse'), 'shorter')
    renameSync(join(root, 'names'), join(root, 'a/b/c/renamed'))
    rmSync(join(root, 'dates'), { recursive: true })
    feed.quiet()
    expect(await feed.differences()).toEqual([])
  })

  test('reports changes in folders whose path is too long for the kernel', async () => {
    const root = testFolder()
    makeDeepTree(root, 20)
    const { quiet, differences, server } = await followed(root, { way })
    const before = process.cwd()
    process.chdir(root)
    for (let n = 0; n < 20; n++) process.chdir(deepName)
    writeFileSync('new', 'x')
    mkdirSync('folder')
    process.chdir(before)
    quiet()
    expect(await differences()).toEqual([])
    expect(server.flushes.length).toBeGreaterThan(0)
  })

  test.each(Array.from({ length: cases(3, 30) }, (_, n) => n + 1))(
    'equals a scan after random changes, %i',
    async (seed) => {
      const storage = testFolder()
      const root = join(storage, 'tree')
      mkdirSync(root)
      const random = newRandom(seed)
      for (let n = 0; n < 100; n++) changeTree(random, root)
      const feed = await followed(storage, { way })
      for (let n = 0; n < 150; n++) {
        if (random.chance(0.2)) renameFolder(random, root)
        else changeTree(random, root)
        if (random.chance(0.3)) feed.step(random.below(700))
      }
      feed.quiet()
      expect(await feed.differences()).toEqual([])
    },
  )
})

/** Moves a folder with its contents, or lets one take the place of another. */
function renameFolder(random: Random, root: string): void {
  const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  const folders = all.map(({ parentPath, name }) => join(parentPath, name))
  const [from, to] = [random.pick(folders), random.pick([root, ...folders])]
  if (!from || !to || `${to}/`.startsWith(`${from}/`)) return
  const target = join(to, random.pick(['moved', 'a', 'b']))
  if (random.chance(0.5) && !`${from}/`.startsWith(`${target}/`)) rmSync(target, { recursive: true, force: true })
  try {
    renameSync(from, target)
  } catch {
    // Something is in its place.
  }
}
