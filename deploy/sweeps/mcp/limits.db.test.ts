import { beforeAll, expect, test } from 'vitest'
import { roles as allRoles } from '#events/contract/needs.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { testToken } from '#server/testing.ts'
import { connect, testMcp } from '#server/questions/mcp/testing.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { changeTagsOf } from '#server/work/tags/changeTagsOf.ts'
import { queueTagging } from '#server/work/tags/queueTagResults.ts'
import { newLimitedUser } from '../limits/testing/limitedHistory.ts'

/** In no name, tag, owner or text that the user may see. Inputs have parts of it only, because errors repeat what was sent. */
const word = 'Qzxjvqu'
const part = word.slice(0, 4)
const platform = await testPlatform()
const { db } = platform
const { address } = await testMcp(platform)
const held = allRoles.filter((role) => role !== 'ROLE_ADMIN')
const [first, second] = ['2026-01-01', '2026-01-02']
const at = { films: 0, others: 0, token: '' }

beforeAll(async () => {
  at.films = await newVolume(platform, 'Films')
  at.others = await newVolume(platform, `${word} storage`)
  const owned = { owner: word, group: word, metadata: { [word]: word } }
  const copy = { size: 900, modified: 1_640_000_000 }
  const link = { linkCount: 2, inode: 77, size: 500 }
  for (const [index, indexingDate] of [first, second].entries()) {
    await scanFolders(platform, { volumeId: at.films, indexingDate }, [
      { path: '', entries: [{ path: '/clients', isDirectory: true, inode: 2, ...owned }] },
      {
        path: '/clients',
        entries: [
          { path: '/clients/aurora', isDirectory: true, inode: 3 },
          { path: `/clients/${word}`, isDirectory: true, inode: 4, ...owned },
          { path: `/clients/${word}.${word}`, inode: 5, size: 10 + index, ...owned },
        ],
      },
      {
        path: '/clients/aurora',
        entries: [
          { path: '/clients/aurora/linked.mov', ...link },
          { path: '/clients/aurora/copy.mov', inode: 60, ...copy },
          { path: '/clients/aurora/grows.mov', inode: 61, size: 100 * (index + 1) },
        ],
      },
      {
        path: `/clients/${word}`,
        entries: [
          { path: `/clients/${word}/a-${word}.mov`, ...link },
          { path: `/clients/${word}/copy.mov`, inode: 62, ...copy, ...owned },
        ],
      },
    ])
    const other = [{ path: `/copy.mov`, inode: 5, ...copy, ...owned }]
    await scanFolders(platform, { volumeId: at.others, indexingDate }, [{ path: '', entries: other }])
  }
  const tagged = [
    { volumeId: at.films, path: `/clients/${word}`, isDirectory: true },
    { volumeId: at.others, path: '/copy.mov', isDirectory: false },
  ]
  const decide = () => ({ add: [word, `dataintell.report.${word}.2026-01-02`], remove: [] })
  await changeTagsOf(platform, tagged, { decide, by: system, scope: 'everything' })
  const draft = { name: `${word} project`, description: word, allocatedSize: 1 }
  const { id: projectId } = await db.insertInto('projects').values(draft).returning('id').executeTakeFirstOrThrow()
  const folder = { projectId, volumeId: at.films, path: '/clients', isNested: false }
  await db.insertInto('projectFolders').values(folder).execute()
  const criteria = { searchOperator: 'AND' as const, searchQueries: [], searchQueryNodes: [] }
  await queueTagging(platform, { tags: [word], remove: false, isDirectory: false, criteria }, { ...system, name: word })
  const limits = { folders: [{ storageId: at.films, path: '/clients/aurora' }] }
  const { id } = await newLimitedUser(platform, held, limits)
  at.token = (await testToken(platform.db, held, id)).token
})

/** Values that may reach what is outside, by the name of an input. */
function valuesOf(name: string): unknown[] {
  const paths = [
    '/',
    '/clients',
    '/clients/aurora',
    '/clients/aurora/copy.mov',
    '/clients/aurora/linked.mov',
    `/clients/${part}`,
  ]
  if (name === 'path') return paths
  if (name === 'storage') return ['Films', `${at.films}`, `${at.others}`, part]
  if (/date|earlier|from|to$/i.test(name)) return [first, second]
  if (name === 'conditions')
    return [
      `Name matches "*${part}*"`,
      `Owner begins with "${part}"`,
      'Size is at least 1 B',
      `Path begins with "/clients/${part}"`,
    ]
  if (name === 'by') return ['owner', 'extension', 'group', 'storageName', 'folder', 'lastModified']
  if (name === 'kind') return ['folders', 'files', ['CREATED']]
  if (/only|show/.test(name)) return [true]
  if (/^(project|report)$/.test(name)) return ['1', part]
  if (/^(job|scan|before|days|lastHours)$/.test(name)) return [1]
  return [`${part}*`, '*', 1]
}

const needed: Record<string, unknown> = {
  path: '/clients/aurora/copy.mov',
  storage: 'Films',
  previousDate: first,
  by: 'owner',
  project: '1',
  report: '1',
  job: 1,
  action: 'archive',
  conditions: 'Size is at least 1 B',
}

/** Inputs that only order or count rows. */
const harmless = ['limit', 'page', 'cursor', 'sort', 'direction', 'period', 'list', 'minimumSize', 'maximumSize']
let turn = 0
/** One value of each input in quick tests, another one in each tool: filters are read by one schema. */
const some = (values: unknown[]) => (isLong ? values : [values[turn++ % values.length]])

test('no tool gives a user with limits a word from outside, and what they see it finds', async () => {
  const { client, ask } = await connect(address, at.token)
  const { tools } = await client.listTools()
  const leaks: object[] = []
  let answered = 0
  for (const { name, inputSchema } of tools) {
    const properties = Object.keys(inputSchema.properties ?? {}).filter((field) => !harmless.includes(field))
    const base = Object.fromEntries((inputSchema.required ?? []).map((field) => [field, needed[field]]))
    const inputs = properties.flatMap((field) => some(valuesOf(field)).map((value) => ({ ...base, [field]: value })))
    for (const input of [base, { ...base, ...(properties.includes('storage') && { storage: 'Films' }) }, ...inputs]) {
      const { text, isError } = await ask(name, input)
      if (!isError) answered++
      if (text.toLowerCase().includes(word.toLowerCase()) || /Something went wrong/.test(text))
        leaks.push({ name, input, text })
    }
  }
  expect(leaks).toEqual([])
  expect(answered).toBeGreaterThan(50)
  expect((await ask('search', { search: 'copy' })).data).toMatchObject({ shown: '1 of 1', size: 900 })
  const safe = await ask('is_it_safe_to_delete', { path: '/clients/aurora/copy.mov', storage: 'Films' })
  expect(safe.data).toMatchObject({ otherCopies: ['No copy of it is known.'], rows: [] })
  expect(await ask('event_log')).toMatchObject({ isError: true })
  const administrator = await connect(address, (await testToken(platform.db, ['ROLE_ADMIN'])).token)
  const all = await administrator.ask('is_it_safe_to_delete', { path: '/clients/aurora/copy.mov', storage: 'Films' })
  expect(all.data).toMatchObject({ otherCopies: ['Copies elsewhere: 2.'] })
  expect(all.text).toContain(word)
})
