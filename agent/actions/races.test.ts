import { mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { PlannedFile } from '#events/actions/files.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { exchangedFolder } from '#agent/testing/exchanged.ts'
import { listings } from '#agent/testing/listed.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'
import { nameOf } from '../systems/local/diskEntry.ts'
import type { DiskPath } from '../systems/local/paths.ts'
import { createFolder, OutsideStorage } from '../systems/local/inFolder.ts'
import { openLocal } from '../systems/local/index.ts'
import { MissingFolder } from '../systems/system.ts'
import { readWhole } from './contents/readDigests.ts'
import { FileFailed, openSource, sha1Of } from './sourceFile.ts'
import { deleteSources } from '../systems/transfers/deleteSources.ts'

const tries = cases(100, 1_000)
const modified = 1_700_000_000
const forever = new AbortController().signal

/** Writes a file into the storage and another one of the same size and time outside, and plans the former. */
function plannedTwin({ root, outside }: { root: string; outside: string }, name: string): PlannedFile {
  for (const [folder, content] of [
    [join(root, 'm'), 'planned'],
    [outside, 'private'],
  ] as const) {
    writeFileSync(join(folder, name), content)
    utimesSync(join(folder, name), modified, modified)
  }
  const pathInStorage = `/m/${name}`
  return { position: 1, path: root + pathInStorage, place: name, pathInStorage, size: 7, modified, reference: '' }
}

const copyOf = ({ place, size }: PlannedFile) => ({
  source: place,
  target: place,
  state: 'copied' as const,
  size,
  checksum: undefined,
  message: '',
})

/** Outcomes of tries by their names, until some were refused because of the exchange and some were not. Throws any other error. */
async function outcomesOf(act: (n: number) => Promise<string>): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {}
  for (let n = 0; n < tries || (n < 1_000 * tries && Object.keys(outcomes).length < 2); n++) {
    const outcome = await act(n).catch((error: unknown) => {
      const isRefused = error instanceof FileFailed || error instanceof OutsideStorage || error instanceof MissingFolder
      if (!isRefused) throw error
      return 'refused'
    })
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    await setImmediate()
  }
  return outcomes
}

test('a file whose folder became a link is refused with the name of the link', async () => {
  const { root, outside } = exchangedFolder()
  mkdirSync(join(root, 'm/deep'))
  mkdirSync(join(outside, 'deep'))
  const file = plannedTwin({ root, outside }, 'deep/take.mov')
  renameSync(join(root, 'm'), join(root, 'm.old'))
  symlinkSync(outside, join(root, 'm'))
  const reason = `Its folder is now a link: ${root}/m`
  await expect(openSource(file)).rejects.toThrow(reason)
  const [outcome] = await deleteSources([{ file, copy: copyOf(file) }], { remove: unlink, signal: forever })
  expect(outcome).toMatchObject({ state: 'failed', reason: `Copied, but not deleted: ${reason}` })
  await expect(createFolder({ root, path: '/m/new' })).rejects.toThrow(reason)
  expect(readdirSync(join(outside, 'deep'))).toEqual(['take.mov'])
})

test.each(['/..', '/../x', '/m/../../x', '/m/./x', '/m//x'])('the path %j leads nowhere', async (path) => {
  const { root } = exchangedFolder()
  await expect(createFolder({ root, path })).rejects.toThrow('is not a path in a storage')
  await expect(
    openSource({ ...plannedTwin(exchangedFolder(), 'a'), path: root + path, pathInStorage: path }),
  ).rejects.toThrow('is not a path in a storage')
})

describe('while a folder of a storage and a link to another folder are exchanged', () => {
  test.each(Object.keys(listings))('nothing outside is listed, by %s', async (way) => {
    const { root, outside, whileExchanged } = exchangedFolder()
    for (const folder of [join(root, 'm'), outside]) mkdirSync(join(folder, 'd'))
    writeFileSync(join(root, 'm/d/inside'), '')
    writeFileSync(join(outside, 'd/secret'), '')
    const system = openLocal(root, listings[way]?.())
    await whileExchanged(async () => {
      const names = await outcomesOf(async () => {
        let found = ''
        system.list('/m/d', (entry) => (found += nameOf(entry)))
        if (system.entry('/m/d/secret')) found += 'secret'
        return found
      })
      expect(Object.keys(names).toSorted()).toEqual(['inside', 'refused'])
    })
    system.close()
  })

  test.each(['alone', 'ring', 'pool'] as const)(
    'a scan, %s, records nothing outside',
    async (way) => {
      const { root, outside, whileExchanged } = exchangedFolder()
      for (let n = 0; n < 50; n++) {
        for (const folder of [join(root, 'm'), outside]) mkdirSync(join(folder, `d${n}`))
        writeFileSync(join(outside, `d${n}/secret`), '')
      }
      await whileExchanged(async () => {
        for (let n = 0; n < cases(3, 1_000); n++) {
          const { rows } = await walked(orderOf(root), [], { way })
          expect(rows.filter(({ name }) => name === 'secret')).toEqual([])
        }
      })
    },
    900_000,
  )

  test('nothing outside is read for an upload or a comparison', async () => {
    const fixture = exchangedFolder()
    const file = plannedTwin(fixture, 'take.mov')
    const upload = async () => {
      const source = await openSource(file)
      try {
        const digest = await sha1Of(source, 0, 7)
        await source.check()
        return digest
      } finally {
        await source.close()
      }
    }
    const compare = async () => (await readWhole(file, { take: async () => {}, signal: forever })).digest
    const [uploaded, compared] = [await upload(), await compare()]
    await fixture.whileExchanged(async () => {
      for (const [act, digest] of [
        [upload, uploaded],
        [compare, compared],
      ] as const)
        expect(Object.keys(await outcomesOf(act)).filter((outcome) => outcome !== 'refused')).toEqual([digest])
    })
  })

  test('nothing outside is deleted, and what is deleted was the planned file', async () => {
    const fixture = exchangedFolder()
    const files = Array.from({ length: tries }, (_, n) => plannedTwin(fixture, `take ${n}.mov`))
    await fixture.whileExchanged(async () => {
      const outcomes = await outcomesOf(async (n) => {
        const file = files[n % tries] as PlannedFile
        const options = { remove: (path: DiskPath) => unlink(path), signal: forever }
        return (await deleteSources([{ file, copy: copyOf(file) }], options))[0]?.state ?? ''
      })
      expect(Object.keys(outcomes).toSorted()).toEqual(['done', 'failed'])
    })
    expect(readdirSync(fixture.outside)).toHaveLength(tries)
    expect(readdirSync(fixture.folder()).length).toBeLessThan(tries)
  })

  test('no folder is created outside', async () => {
    const { root, outside, whileExchanged } = exchangedFolder()
    await whileExchanged(async () => {
      const outcomes = await outcomesOf(async (n) => {
        await createFolder({ root, path: `/m/new ${n}/below` })
        return 'created'
      })
      expect(outcomes['created']).toBeGreaterThan(0)
    })
    expect(readdirSync(outside)).toEqual([])
  })
})
