import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newRandom } from '#events/node/blocks/testing/damage.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { changeTree } from '#agent/testing/changeTree.ts'
import { makeOddTree } from '#agent/testing/oddTree.ts'
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

  test.each([1, 2, 3, 4, 5, 6])('equals a scan after random changes, %i', async (seed) => {
    const root = testFolder()
    makeOddTree(root)
    const feed = await followed(root, { way })
    const random = newRandom(seed)
    for (let n = 0; n < 300; n++) {
      changeTree(random, root)
      if (random.chance(0.3)) feed.step(random.below(700))
    }
    feed.quiet()
    expect(await feed.differences()).toEqual([])
  })
})
