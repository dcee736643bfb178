import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { contradictions, isUnreadable, pathOf, type Row } from '#agent/testing/decodeRows.ts'
import { makeDeepTree, makeOddTree } from '#agent/testing/oddTree.ts'
import { orderOf, type SentWalk, walked } from '#agent/testing/walked.ts'
import { walkedWithoutRights } from '#agent/testing/walkedWithoutRights.ts'
import { waysOfLookups } from '../../../systems/local/lookups/lookups.ts'

/** The rows of a walk without what differs from walk to walk: their order, and accesses, which a walk itself makes. */
const factsOf = ({ rows }: SentWalk) =>
  rows.map(({ batch: _, attempt: __, accessed: ___, ...row }: Row) => JSON.stringify(row)).sort()

/** Folders of many sizes: empty, a block of names, a listing, several listings. */
function sizedTree(): string {
  const root = testFolder()
  for (const files of [0, 1, 63, 64, 65, 1_000, 6_000]) {
    const folder = join(root, `folder of ${files}`)
    mkdirSync(folder)
    for (let n = 0; n < files; n++) writeFileSync(join(folder, `${'long name '.repeat(4)}${n}`), 'x'.repeat(n % 9))
    for (let n = 0; n < files; n += 100) symlinkSync(`target ${n}`, join(folder, `link ${n}`))
  }
  return root
}

describe.each(waysOfLookups)('many calls at once, through a %s,', (way) => {
  test('find what one call after another finds in an odd tree, and in one too deep for paths', async () => {
    const root = testFolder()
    makeOddTree(root)
    makeDeepTree(root, 20)
    execFileSync('mkfifo', [join(root, 'pipe')])
    const expected = await walked(orderOf(root), [], { way: 'alone' })
    const found = await walked(orderOf(root), [], { way })
    execFileSync('rm', ['-rf', root])
    expect(factsOf(found)).toEqual(factsOf(expected))
    expect(contradictions(found.rows)).toEqual([])
    expect(found.counts).toEqual(expected.counts)
  })

  test('list folders of all sizes, each entry once', async () => {
    const root = sizedTree()
    const expected = await walked(orderOf(root), [], { way: 'alone' })
    const found = await walked(orderOf(root), [], { way })
    expect(factsOf(found)).toEqual(factsOf(expected))
    expect(contradictions(found.rows)).toEqual([])
  })

  test('keep to the rules, and to folders that are left', async () => {
    const root = sizedTree()
    const changes = {
      ignoredPaths: ['**/*9', '/folder of 63'],
      indexFolderOnlyPaths: ['/folder of 1000'],
      pending: ['/folder of 1000', '/folder of 65', '/gone'],
    }
    const expected = await walked(orderOf(root, changes), [], { way: 'alone' })
    const found = await walked(orderOf(root, changes), [], { way })
    expect(factsOf(found)).toEqual(factsOf(expected))
  })

  test('name what cannot be read, and scan the rest', () => {
    const root = testFolder()
    for (const [name, mode] of Object.entries({ closed: 0o000, 'only to enter': 0o111, 'only to list': 0o444 })) {
      mkdirSync(join(root, name, 'folder'), { recursive: true })
      writeFileSync(join(root, name, 'file'), 'some bytes')
      chmodSync(join(root, name), mode)
      atEndOfFile(() => chmodSync(join(root, name), 0o755))
    }
    const expected = walkedWithoutRights(root, {}, 'alone')
    const found = walkedWithoutRights(root, {}, way)
    expect(factsOf(found)).toEqual(factsOf(expected))
    expect(found.rows.filter(isUnreadable).map(pathOf).sort()).toEqual([
      '/closed',
      '/only to enter',
      '/only to list/folder',
    ])
    expect(walkedWithoutRights(join(root, 'closed'), {}, way).failed).toMatch(/cannot be listed: EACCES/)
  })
})
