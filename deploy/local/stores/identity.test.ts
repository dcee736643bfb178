import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { checkIdentity, type Parts, writeIdentity } from './identity.ts'

const partsOf = (data: string): Parts & { postgres: string; clickhouse: string; nats: string; agent: string } => ({
  postgres: join(data, 'postgres'),
  clickhouse: join(data, 'clickhouse'),
  nats: join(data, 'nats'),
  agent: join(data, 'agent'),
})

/** A data folder as the first start leaves it. */
function started(name = 'data'): string {
  const data = join(testFolder('identity'), name)
  const parts = partsOf(data)
  mkdirSync(data)
  const identity = checkIdentity(data, parts)
  writeIdentity(data, identity, {})
  for (const folder of Object.values(parts)) mkdirSync(folder)
  writeIdentity(data, identity, parts)
  return data
}

const check = (data: string, adopt = false) => checkIdentity(data, partsOf(data), adopt)
const idOf = (data: string) => (JSON.parse(readFileSync(join(data, 'identity.json'), 'utf8')) as { id: string }).id
/** Every file below a folder with its contents, to show that nothing was written. */
const everything = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return entry.isFile() ? `${path} ${readFileSync(path, 'utf8')}` : path
  })

test('a data folder keeps its ID from start to start, and every part carries it', () => {
  const data = started()
  expect(check(data)).toMatchObject({ id: idOf(data), path: data, parts: ['postgres', 'clickhouse', 'nats', 'agent'] })
  for (const folder of Object.values(partsOf(data)))
    expect(JSON.parse(readFileSync(join(folder, 'dataintell.json'), 'utf8'))).toEqual({ id: idOf(data), folder: data })
})

test('two data folders have different IDs', () => {
  expect(idOf(started())).not.toBe(idOf(started()))
})

test.each(['postgres', 'clickhouse', 'nats', 'agent'] as const)(
  'a start without %s is refused and writes nothing',
  (part) => {
    const data = started()
    renameSync(partsOf(data)[part], join(data, 'away'))
    const before = everything(data)
    expect(() => check(data)).toThrow(`${partsOf(data)[part]} (`)
    expect(() => check(data)).toThrow(`is missing, which belongs to the data folder ${data}. Mount its disk`)
    expect(everything(data)).toEqual(before)
  },
)

test('events and the state of the agent may be left behind on purpose, settings and snapshots may not', () => {
  const data = started()
  const parts = partsOf(data)
  for (const part of [parts.nats, parts.agent]) rmSync(part, { recursive: true })
  expect(check(data, true).id).toBe(idOf(data))
  for (const part of [parts.clickhouse, parts.postgres]) {
    renameSync(part, `${part}.away`)
    expect(() => check(data, true)).toThrow('is missing')
    renameSync(`${part}.away`, part)
  }
})

test.each(['postgres', 'clickhouse', 'nats', 'agent'] as const)(
  '%s of another product is refused, and both are named',
  (part) => {
    const [data, other] = [started(), started()]
    rmSync(partsOf(data)[part], { recursive: true })
    cpSync(partsOf(other)[part], partsOf(data)[part], { recursive: true })
    for (const adopt of [false, true]) {
      expect(() => check(data, adopt)).toThrow(`belongs to another data folder, ${other} (ID ${idOf(other)})`)
      expect(() => check(data, adopt)).toThrow(`can't be used with ${data} (ID ${idOf(data)})`)
    }
  },
)

test('a folder that was moved is refused, until it is adopted with its ID', () => {
  const data = started()
  const moved = `${data}-moved`
  renameSync(data, moved)
  expect(() => check(moved)).toThrow(
    `The data folder ${moved} was last used as ${data}. If you moved or copied it on purpose, run \`npm start -- --adopt\` once.`,
  )
  const identity = check(moved, true)
  writeIdentity(moved, identity, partsOf(moved))
  expect(check(moved)).toMatchObject({ id: identity.id, path: moved })
})

test('an adopted copy next to its original has an ID of its own, and the original keeps its own', () => {
  const data = started()
  const copy = `${data}-copy`
  cpSync(data, copy, { recursive: true })
  expect(() => check(copy)).toThrow('was last used as')
  const identity = check(copy, true)
  writeIdentity(copy, identity, partsOf(copy))
  expect(check(copy).id).toBe(identity.id)
  expect(check(copy).id).not.toBe(check(data).id)
})

test('the adoption of a copy that was interrupted is continued', () => {
  const data = started()
  const copy = `${data}-copy`
  cpSync(data, copy, { recursive: true })
  const { clickhouse } = partsOf(copy)
  const identity = check(copy, true)
  writeIdentity(copy, identity, {})
  writeFileSync(join(clickhouse, 'dataintell.json'), JSON.stringify({ id: identity.id, folder: copy }))
  writeIdentity(copy, check(copy), partsOf(copy))
  expect(check(copy)).toEqual({ id: identity.id, path: copy, parts: ['postgres', 'clickhouse', 'nats', 'agent'] })
})

test('a copy can not share a cluster outside of the folder with its original', () => {
  const data = started()
  const outside = join(testFolder('outside'), 'postgres')
  const parts = { ...partsOf(data), postgres: outside }
  renameSync(partsOf(data).postgres, outside)
  const copy = `${data}-copy`
  cpSync(data, copy, { recursive: true })
  const reason = `${copy} is a copy of ${data}, but both would use the settings in ${outside}. To duplicate a product, use \`npm run backup\` and \`npm run restore\`.`
  const refusal = (adopt: boolean) => refusalOf(copy, { ...partsOf(copy), postgres: outside }, adopt)
  expect(refusal(true)).toBe(reason)
  expect(refusal(false)).toBe(`The data folder ${copy} was last used as ${data}. ${reason}`)
  rmSync(join(copy, 'identity.json'))
  expect(refusal(true)).toBe(reason)
  expect(refusal(false)).toContain(reason)
  expect(refusal(false)).not.toContain('--adopt')
  expect(checkIdentity(data, parts).id).toBe(idOf(data))
})

/** Message of a refused start; the ID of an accepted one. */
function refusalOf(data: string, parts: Parts, adopt: boolean): string {
  try {
    return `accepted with ${checkIdentity(data, parts, adopt).id}`
  } catch (error) {
    return (error as Error).message
  }
}

const damages: [string, (data: string) => unknown][] = [
  ['whole', () => {}],
  ['without settings', (data) => rmSync(partsOf(data).postgres, { recursive: true })],
  ['without snapshots', (data) => rmSync(partsOf(data).clickhouse, { recursive: true })],
  ['without events', (data) => rmSync(partsOf(data).nats, { recursive: true })],
  ['without its identity', (data) => rmSync(join(data, 'identity.json'))],
  [
    'without settings and events',
    (data) => [partsOf(data).postgres, partsOf(data).nats].map((part) => rmSync(part, { recursive: true })),
  ],
  [
    'without settings and its identity',
    (data) => [join(data, 'identity.json'), partsOf(data).postgres].map((part) => rmSync(part, { recursive: true })),
  ],
  [
    'with the agent of another product',
    (data) => cpSync(partsOf(started()).agent, partsOf(data).agent, { recursive: true }),
  ],
  [
    'without events, with the agent of another product',
    (data) => {
      rmSync(partsOf(data).nats, { recursive: true })
      cpSync(partsOf(started()).agent, partsOf(data).agent, { recursive: true })
    },
  ],
]

test.each(damages)('--adopt is recommended only if it would be accepted (%s)', (_, damage) => {
  const [inPlace, original, source] = [started(), started(), started()]
  const [copy, moved] = [`${original}-copy`, `${source}-moved`]
  cpSync(original, copy, { recursive: true })
  renameSync(source, moved)
  const misleading = [inPlace, copy, moved].filter((data) => {
    damage(data)
    const isAdopted = refusalOf(data, partsOf(data), true).startsWith('accepted')
    const first = refusalOf(data, partsOf(data), false)
    return !first.startsWith('accepted') && first.includes('--adopt') !== isAdopted
  })
  expect(misleading).toEqual([])
})

test('a copy without its identity next to its original gets an ID of its own', () => {
  const data = started()
  const copy = `${data}-copy`
  cpSync(data, copy, { recursive: true })
  rmSync(join(copy, 'identity.json'))
  const identity = check(copy, true)
  expect(identity.id).not.toBe(idOf(data))
  writeIdentity(copy, identity, partsOf(copy))
  expect(check(copy)).toMatchObject({ id: identity.id, path: copy })
})

test('parts without their identity file are refused, until they are adopted', () => {
  const data = started()
  const id = idOf(data)
  rmSync(join(data, 'identity.json'))
  expect(() => check(data)).toThrow(`The data folder ${data} has no identity.json, but parts of it belong to ${data}`)
  expect(check(data, true).id).toBe(id)
})

test('a folder from a version without identities gets one, unless its settings are missing', () => {
  const data = started()
  rmSync(join(data, 'identity.json'))
  for (const folder of Object.values(partsOf(data))) rmSync(join(folder, 'dataintell.json'))
  expect(check(data).parts).toEqual(['postgres', 'clickhouse', 'nats', 'agent'])
  rmSync(partsOf(data).postgres, { recursive: true })
  expect(() => check(data)).toThrow(`${partsOf(data).postgres} (settings, users and projects) is missing`)
})

test('stores that run elsewhere are not looked for', () => {
  const data = started()
  const { agent, ...stores } = partsOf(data)
  for (const folder of Object.values(stores)) rmSync(folder, { recursive: true })
  expect(checkIdentity(data, { agent }).id).toBe(idOf(data))
})

test.each(['', '{"id":', '{"id":"x"}'])('a damaged identity file (%s) is refused', (text) => {
  const data = started()
  writeFileSync(join(data, 'identity.json'), text)
  expect(() => check(data)).toThrow(`${join(data, 'identity.json')} is damaged`)
})

test.runIf(process.getuid?.() === 0)('files of another user are refused, and keep their owner', () => {
  const data = started()
  chownSync(join(data, 'identity.json'), 1234, 1234)
  expect(() => check(data)).toThrow(
    `The data folder ${data} belongs to user 1234, but this is user 0. Start DataIntell as user 1234, or set DATAINTELL_DATA.`,
  )
})
