import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cases } from '#server/platform/testing/cases.ts'
import { exchangedFolder } from '#agent/testing/exchanged.ts'
import { systemCalls } from '../../systems/local/systemCalls.ts'
import { reasonsOf, statesOf } from '../testing/attempts.ts'
import { again, carryOut, orderOf, plan, run, testStorage } from './testing/storage.ts'

const tries = cases(100, 1_000)

/** A storage whose folder `m` is exchanged with a link to a folder outside, with files of the same names, sizes and times. */
function exchanged() {
  const fixture = exchangedFolder()
  const storage = testStorage(fixture.root)
  const paths = Array.from({ length: tries }, (_, n) => storage.write(`/m/d/${n}`, 'inside'))
  mkdirSync(join(fixture.outside, 'd'))
  const times = new Map<string, string>()
  for (let n = 0; n < tries; n++) {
    const file = join(fixture.outside, `d/${n}`)
    writeFileSync(file, 'beyond')
    utimesSync(file, 1_700_000_000.123, 1_700_000_000.123)
    times.set(file, String(lstatSync(file, { bigint: true }).ctimeNs))
  }
  return {
    ...fixture,
    storage,
    list: plan(storage, paths),
    inside: (n: number) => join(fixture.folder(), `d/${n}`),
    /** Also the time of change is the same, which a rename forth and back would set. */
    expectNothingOutside() {
      expect(readdirSync(fixture.outside)).toEqual(['d'])
      expect(readdirSync(join(fixture.outside, 'd'))).toHaveLength(tries)
      for (const [file, time] of times) expect(String(lstatSync(file, { bigint: true }).ctimeNs)).toBe(time)
    },
  }
}

const readAt = (path: string | Buffer) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

describe('while a folder of a storage and a link to a folder outside are exchanged', () => {
  /** Carries out an order again for the files that were refused, until some were and some were not. Returns the list of all. */
  async function untilSome(fixture: ReturnType<typeof exchanged>, verb: 'move' | 'putBack', list = fixture.list) {
    const refused = new Set<string>()
    const isSome = () => refused.size > 0 && list.listed.some(({ state }) => state === 'done')
    await fixture.whileExchanged(async () => {
      for (let n = 0; n < 100 && !isSome(); n++) {
        for (const file of list.listed)
          if (file.state === 'failed') Object.assign(file, { state: 'planned', reason: '' })
        await carryOut(fixture.storage, list, orderOf(verb))
        for (const reason of reasonsOf(list)) if (reason !== '') refused.add(reason)
      }
    })
    expect(isSome()).toBe(true)
    return refused
  }

  test('nothing outside is moved, and each file is in one place', async () => {
    const fixture = exchanged()
    const { storage, list, inside, expectNothingOutside } = fixture
    expect(await untilSome(fixture, 'move')).toContain(`Its folder is now a link: ${storage.root}/m`)
    expectNothingOutside()
    for (const [n, { state, pathInStorage }] of list.listed.entries()) {
      const places = [readAt(inside(n)), readAt(storage.quarantined(pathInStorage))]
      expect(places).toEqual(state === 'done' ? [undefined, 'inside'] : ['inside', undefined])
    }
  })

  test('nothing is put back outside, or deleted there', async () => {
    const fixture = exchanged()
    const { storage, list, root, inside, whileExchanged, expectNothingOutside } = fixture
    await carryOut(storage, list, orderOf('move'))
    expect(new Set(statesOf(list))).toEqual(new Set(['done']))
    const back = again(list)
    await untilSome(fixture, 'putBack', back)
    expectNothingOutside()
    for (const [n, { state, pathInStorage }] of back.listed.entries()) {
      const places = [readAt(inside(n)), readAt(storage.quarantined(pathInStorage))]
      expect(places).toEqual(state === 'done' ? ['inside', undefined] : [undefined, 'inside'])
    }
    const left = back.listed.filter(({ state }) => state === 'failed')
    const others = again({ ...back, listed: left.map((file, n) => ({ ...file, position: n + 1 })) })
    await whileExchanged(async () => void (await carryOut(storage, others, orderOf('delete'))))
    expectNothingOutside()
    expect(statesOf(others)).toEqual(left.map(() => 'done'))
    expect(readdirSync(join(root, '.dataintell-quarantine')).toSorted()).toEqual([`${run}.sh`, 'README.txt'])
  })
})

/** Does something to each file right before or after it is renamed. */
async function whileRenamed(when: 'before' | 'after', act: () => void, work: () => Promise<unknown>): Promise<void> {
  const calls = systemCalls
  if (!calls) return
  const original = calls.renameat2Later
  let isFirst = true
  calls.renameat2Later = (from, name, to, newName, flags, done) => {
    const isNow = isFirst
    isFirst = false
    if (isNow && when === 'before') act()
    original(from, name, to, newName, flags, (error, result) => {
      if (isNow && when === 'after') act()
      done(error, result)
    })
  }
  await work().finally(() => (calls.renameat2Later = original))
}

describe('a file that changes at the moment of its move', () => {
  const two = () => {
    const storage = testStorage()
    storage.write('/d/a')
    storage.write('/d/new', 'the new file')
    return { storage, list: plan(storage, ['/d/a']) }
  }

  test('an exchanged file is put back at once', async () => {
    const { storage, list } = two()
    const { ino } = statSync(storage.at('/d/new'))
    const exchange = () => {
      renameSync(storage.at('/d/a'), storage.at('/d/old'))
      renameSync(storage.at('/d/new'), storage.at('/d/a'))
    }
    await whileRenamed('before', exchange, () => carryOut(storage, list, orderOf('move')))
    expect(reasonsOf(list)).toEqual(['Another file took its place at this moment'])
    expect(statSync(storage.at('/d/a')).ino).toBe(ino)
    expect(storage.read('/d/old')).toBe('content of /d/a')
  })

  test.each(['before', 'after'] as const)('a file that is written %s it was moved is put back', async (when) => {
    const { storage, list } = two()
    const write = () => {
      const path = when === 'before' ? storage.at('/d/a') : storage.quarantined('/d/a')
      writeFileSync(path, 'longer', { flag: 'a' })
    }
    await whileRenamed(when, write, () => carryOut(storage, list, orderOf('move')))
    expect(reasonsOf(list)).toEqual(['It was modified at this moment'])
    expect(storage.read('/d/a')).toBe('content of /d/alonger')
  })

  test('a file that was moved although the file system reports an error is moved', async () => {
    const { storage, list } = two()
    const move = () => {
      mkdirSync(storage.quarantined('/d'), { recursive: true })
      renameSync(storage.at('/d/a'), storage.quarantined('/d/a'))
    }
    await whileRenamed('before', move, () => carryOut(storage, list, orderOf('move')))
    expect(reasonsOf(list)).toEqual([''])
    expect(statesOf(await carryOut(storage, again(list), orderOf('putBack')))).toEqual(['done'])
  })

  test('a file whose name is taken again meanwhile replaces nothing', async () => {
    const { storage, list } = two()
    const change = () => {
      writeFileSync(storage.quarantined('/d/a'), 'longer', { flag: 'a' })
      renameSync(storage.at('/d/new'), storage.at('/d/a'))
    }
    await whileRenamed('after', change, () => carryOut(storage, list, orderOf('move')))
    expect(reasonsOf(list)).toEqual([expect.stringMatching(/What was moved stays in quarantine.*EEXIST/)])
    expect(storage.read('/d/a')).toBe('the new file')
    expect(readFileSync(storage.quarantined('/d/a'), 'utf8')).toBe('content of /d/alonger')
    renameSync(storage.at('/d/a'), storage.at('/d/new'))
    expect(storage.undo('sh', '-f')).toBe('Put back: 1. Left: 0.\n')
  })
})
