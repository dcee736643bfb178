import { beforeAll, expect, test } from 'vitest'
import { nameFromBytes } from '#events/contract/fileNames.ts'
import type { Entry } from '#events/entries.ts'
import type { MediaFacts } from '#events/media/facts.ts'
import { readMedia } from '#server/content/media/testing.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { createApp } from '#server/app.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testUser } from '#server/testing.ts'
import { searchRoutes } from './index.ts'
import { testSearch } from './testing.ts'

const platform = await testPlatform()
const { ask, get, post } = await testSearch(platform)

/** Facts by path; undefined for a file that wasn't read, and a path for another name of the same file. */
type Files = Record<string, Partial<MediaFacts> | string | undefined>
type Case = [title: string, files: Files, yes: string[], no: string[]]

const video = (seconds: number, width = 3840, bitRate = 500e6) => ({
  texts: { 'video.codec': 'prores' },
  numbers: { 'video.width': width, 'video.height': 1080, 'video.bitRate': bitRate, 'media.duration': seconds },
})
const small = (seconds: number) => video(seconds, 1280, 5e6)
const image = (width: number, height: number, takenOn = '', camera = '') => ({
  texts: { ...(takenOn && { 'image.takenOn': takenOn }), ...(camera && { 'image.camera': camera }) },
  numbers: { 'image.width': width, 'image.height': height },
})
const cafe = nameFromBytes(Buffer.from('caf\u00e9.mov', 'latin1'))
const cafeProxy = nameFromBytes(Buffer.from('caf\u00e9_proxy.mov', 'latin1'))
const noon = '2024-05-01T12:00:00'

// https://github.com/in03/proxima/issues/215: proxies were matched by the beginning of their names.
// https://github.com/in03/proxima/issues/273: a sidecar was taken for a proxy.
const ofVideos: Case[] = [
  ['in a folder', { 'A.mov': video(10), 'proxy/a.MP4': small(10) }, ['A.mov'], ['a.MP4']],
  ...['_proxy', '-PROXY', '.proxy', '_lowres', '_preview', '_h264', ' proxy', '_proxy_h264'].map((ending): Case => [
    `ending ${ending}`,
    { 'A.mov': video(10), [`A${ending}.mp4`]: small(10) },
    ['A.mov'],
    [`A${ending}.mp4`],
  ]),
  ['half a second', { 'A.mov': video(10), 'A_proxy.mov': small(10.5) }, ['A.mov'], ['A_proxy.mov']],
  ['another duration', { 'A.mov': video(10), 'A_proxy.mov': small(10.7) }, [], ['A.mov', 'A_proxy.mov']],
  ['same picture', { 'A.mov': video(10), 'A_h264.mov': video(10, 3840, 240e6) }, ['A.mov'], ['A_h264.mov']],
  ['similar bit rate', { 'A.mov': video(10), 'A_h264.mov': video(10, 3840, 260e6) }, [], ['A.mov', 'A_h264.mov']],
  [
    'dots',
    { 'a.b.mov': video(10), 'a.b.proxy.mov': small(10), 'a.c.mov': video(10) },
    ['a.b.mov'],
    ['a.b.proxy.mov', 'a.c.mov'],
  ],
  ['dates', { '2024.01.05 day': video(10), '2024.01.06 day': small(10) }, [], ['2024.01.05 day', '2024.01.06 day']],
  ['no extension', { A: video(10), A_proxy: small(10) }, ['A'], ['A_proxy']],
  ['bytes', { [cafe]: video(10), [cafeProxy]: small(10) }, [cafe], [cafeProxy]],
  ['hard link', { 'A.mov': video(10), 'A_proxy.mov': 'A.mov' }, [], ['A.mov', 'A_proxy.mov']],
  ['unread', { 'A.mov': video(10), 'A_proxy.mov': undefined }, [], ['A.mov']],
  ['unread master', { 'A.mov': undefined, 'A_proxy.mov': small(10) }, [], ['A_proxy.mov']],
  ['no duration', { 'A.mov': { numbers: { 'video.width': 3840, 'video.height': 2160 } } }, [], []],
  [
    'longer names',
    { 'Cockburn Drone.mov': video(10), 'Cockburn Drone - ARC - STBLSD.mov': small(10) },
    [],
    ['Cockburn Drone - ARC - STBLSD.mov', 'Cockburn Drone.mov'],
  ],
  ['sidecar', { 'A.mxf': video(10), 'A.mxf.xmp': undefined }, [], ['A.mxf']],
]

// https://github.com/mattdavis90/immich-stacker/issues/3: names repeat when a new card is used.
// https://github.com/photoprism/photoprism/issues/2919: pictures of other days have the same name and another extension.
// https://github.com/photoprism/photoprism/issues/483: a number at the end of a name is another picture.
const ofImages: Case[] = [
  ...['-1024x768', '_2048px', '@2x', '_small', '_Large', '_thumb', '-scaled', '-scaled-300x200'].map((ending): Case => [
    `ending ${ending}`,
    { 'I.jpg': image(6000, 4000), [`I${ending}.jpg`]: image(300, 200) },
    ['I.jpg', `I${ending}.jpg`],
    [],
  ]),
  [
    'another card',
    { '1/DSCF0001.jpg': image(6000, 4000, noon), '2/DSCF0001.jpg': image(3000, 2000, '2023-01-01T08:00:00') },
    [],
    ['DSCF0001.jpg', 'DSCF0001.jpg'],
  ],
  [
    'another day',
    { 'IMG_8234.jpg': image(4000, 3000, noon), 'IMG_8234.png': image(800, 600, '2021-08-24T20:38:57') },
    [],
    ['IMG_8234.jpg', 'IMG_8234.png'],
  ],
  [
    'numbers',
    { 'IMG_0001.jpg': image(4000, 3000), 'IMG_0001_2.jpg': image(800, 600) },
    [],
    ['IMG_0001.jpg', 'IMG_0001_2.jpg'],
  ],
  [
    'same time elsewhere',
    { '1/a/I.jpg': image(6000, 4000, noon), '2/b/I.jpg': image(3000, 2000, noon) },
    ['I.jpg', 'I.jpg'],
    [],
  ],
  [
    'clock that was reset',
    { '1/I.jpg': image(6000, 4000, '2000-01-01T00:00:00'), '2/I.jpg': image(3000, 2000, '2000-01-01T00:00:00') },
    [],
    ['I.jpg', 'I.jpg'],
  ],
  [
    'unknown time in siblings',
    { '1/I.jpg': image(6000, 4000, noon), '2/I.jpg': image(3000, 2000) },
    [],
    ['I.jpg', 'I.jpg'],
  ],
  ['folder below', { '1/I.jpg': image(6000, 4000), '1/web/I.jpg': image(3000, 2000) }, ['I.jpg', 'I.jpg'], []],
  ['two levels below', { '1/I.jpg': image(6000, 4000), '1/web/a/I.jpg': image(3000, 2000) }, [], ['I.jpg', 'I.jpg']],
  [
    'one with a time',
    { 'I.jpg': image(6000, 4000, noon, 'A7'), 'I_thumb.jpg': image(300, 200) },
    ['I.jpg', 'I_thumb.jpg'],
    [],
  ],
  [
    'another camera',
    { 'I.jpg': image(6000, 4000, noon, 'A7'), 'I_small.jpg': image(300, 200, noon, 'R5') },
    [],
    ['I.jpg', 'I_small.jpg'],
  ],
  ['turned', { 'I.jpg': image(6000, 4000), 'I_small.jpg': image(200, 300) }, ['I.jpg', 'I_small.jpg'], []],
  ['cropped', { 'I.jpg': image(6000, 4000), 'I_small.jpg': image(300, 300) }, [], ['I.jpg', 'I_small.jpg']],
  ['raw', { 'I.nef': image(6016, 4016, noon), 'I.jpg': image(6000, 4000, noon) }, [], ['I.jpg', 'I.nef']],
  [
    'same size',
    { 'I.jpg': image(6000, 4000), 'I_large.jpg': image(6000, 4000), 'I_small.jpg': 'I.jpg' },
    [],
    ['I.jpg', 'I_large.jpg', 'I_small.jpg'],
  ],
  [
    'words',
    { 'Pizza large.jpg': image(800, 600), 'Pizza small.jpg': image(400, 300) },
    [],
    ['Pizza large.jpg', 'Pizza small.jpg'],
  ],
  ['unread', { 'I.jpg': image(6000, 4000), 'I_small.jpg': undefined }, [], ['I.jpg']],
  ['video', { 'I.jpg': image(6000, 4000), 'I_small.mov': small(3) }, [], ['I.jpg']],
]

/** Paths by the numbers of their files, which later scans don't change. */
const inodes: string[] = []

/** Scans files with their facts as a storage of their own. */
async function scanFiles(name: string, files: Files, again?: number): Promise<number> {
  const volumeId = again ?? (await newVolume(platform, name))
  const above = (path: string) => path.slice(0, path.lastIndexOf('/'))
  const chain = (folder: string): string[] => (folder === '' ? [''] : [...chain(above(folder)), folder])
  const paths = Object.keys(files)
  const folders = [...new Set(paths.flatMap((path) => chain(above(path))))]
  const inodeOf = (path: string) => 1000 * volumeId + (inodes.push(path), inodes.indexOf(path))
  const entriesIn = (folder: string): File[] => [
    ...folders.filter((path) => path !== '' && above(path) === folder).map((path) => ({ path, isDirectory: true })),
    ...paths
      .filter((path) => above(path) === folder)
      .map((path) => ({ path, inode: inodeOf(typeof files[path] === 'string' ? files[path] : path), linkCount: 2 })),
  ]
  const listed = folders.map((path) => ({ path, entries: entriesIn(path) }))
  await scanFolders(platform, { volumeId, indexingDate: again ? '2026-01-02' : '2026-01-01' }, listed)
  for (const [path, facts] of Object.entries(files))
    if (typeof facts === 'object') await readMedia(platform, path, facts)
  return volumeId
}

/** Files of other cases are on the same storage, so the names of each case begin with its own number. */
const cases = [...ofVideos, ...ofImages].map(([title, files, yes, no], i): Case => {
  const own = (path: string) => path.replace(/[^/]*$/, `${i}x$&`)
  const inFolder = (path: string) => `/${i}/${own(path)}`
  const placed = Object.entries(files).map(([path, facts]) => [
    inFolder(path),
    typeof facts === 'string' ? inFolder(facts) : facts,
  ])
  return [title, Object.fromEntries(placed), yes.map(own), no.map(own)]
})
const hasProxy = 'metadata.video.hasProxy'
const hasOtherSizes = 'metadata.image.hasOtherSizes'

const namesOf = ({ elements }: { elements: Entry[] }) => elements.map(({ name }) => name)
const found = async (criteria: object) => namesOf(await post('/v1/search?sort=name&size=100', criteria))

const others: Files = {
  '/own/film.mov': video(20),
  '/own/bare.mov': video(30),
  '/own/shot.jpg': image(6000, 4000, noon),
  '/own/_proxy.mov': small(40),
  '/own/-proxy.mov': video(40),
  '/hidden/bare_proxy.mov': small(30),
  '/hidden/shot.jpg': image(600, 400, noon),
  '/hidden/secret.mov': video(50),
}
let othersId: number
beforeAll(async () => {
  await scanFiles('Cases', Object.assign({}, ...cases.map(([, files]) => files)))
  othersId = await scanFiles('Others', others)
  await scanFiles('Proxies', { '/film_proxy.mov': small(20), '/shot.jpg': image(300, 200) })
})

/** Names of the files with this value of a relation, by the number of their case. */
const answers: Record<string, Partial<Record<string, string[]>>> = {}
beforeAll(async () => {
  for (const field of [hasProxy, hasOtherSizes])
    for (const [value, excludeFilter] of [
      [true, false],
      [false, false],
      [true, true],
    ]) {
      const criteria = [{ isDirectory: { value: false } }, { [field]: { value }, excludeFilter }]
      const names = namesOf(await post('/v1/search?sort=name&size=1000', criteria))
      answers[`${field} ${value} ${excludeFilter}`] = Object.groupBy(names, (name) => name.split('x')[0] ?? '')
    }
})

test.each(cases)('%s', (_, files, yes, no) => {
  const [, number = ''] = Object.keys(files)[0]?.split('/') ?? []
  const field = Number(number) < ofVideos.length ? hasProxy : hasOtherSizes
  const answer = (condition: string) => answers[`${field} ${condition}`]?.[number]?.toSorted() ?? []
  expect(answer('true false')).toEqual(yes.toSorted())
  expect(answer('false false')).toEqual(no.toSorted())
  const all = Object.keys(files).map((path) => path.slice(path.lastIndexOf('/') + 1))
  expect([...answer('true true'), ...yes].toSorted()).toEqual(all.toSorted())
})

const onOthers = { volumeId: { values: [] as number[] } }
const inOthers = (node: object) => ({ searchQueries: [onOthers], searchQueryNodes: [node] })

test('proxies on other storages count, also if only one storage is searched, and in groups with OR', async () => {
  onOthers.volumeId.values = [othersId]
  expect(await found([onOthers, { [hasProxy]: { value: true } }])).toEqual(['bare.mov', 'film.mov'])
  expect(await found([onOthers, { [hasProxy]: { value: false } }])).toEqual([
    '-proxy.mov',
    '_proxy.mov',
    'bare_proxy.mov',
    'secret.mov',
  ])
  const either = {
    searchOperator: 'OR',
    searchQueries: [{ [hasProxy]: { value: true } }, { [hasOtherSizes]: { value: true } }],
  }
  expect(await found(inOthers(either))).toEqual(['bare.mov', 'film.mov', 'shot.jpg', 'shot.jpg'])
})

test('a user with limits sees no relation to hidden files', async () => {
  const { id } = await testUser(platform.db, [])
  const folders = JSON.stringify([{ storageId: othersId, path: '/own' }])
  await platform.db
    .insertInto('limits')
    .values({ userId: id, everything: false, projects: [], storages: [], folders })
    .execute()
  const session = await openSession(platform.db, id, '127.0.0.1')
  const limited = asUser(createApp(platform, searchRoutes(platform)), session)
  const searched = async (field: string, value: boolean) =>
    namesOf((await limited('POST', '/api/v1/search?sort=name', [{ [field]: { value } }]).expect(200)).body)
  expect(await searched(hasProxy, true)).toEqual([])
  expect(await searched(hasProxy, false)).toEqual(['-proxy.mov', '_proxy.mov', 'bare.mov', 'film.mov'])
  expect(await searched(hasOtherSizes, true)).toEqual([])
  expect(await searched(hasOtherSizes, false)).toEqual(['shot.jpg'])
})

test('relations are searchable where videos or images were read, and are yes or no', async () => {
  expect(await get('/v1/files/fields/metadata/mapping')).toMatchObject({
    [hasProxy]: 'boolean',
    [hasOtherSizes]: 'boolean',
  })
  const { body } = await ask('POST', '/api/v1/search', [{ [hasProxy]: { wildcard: '*' } }])
  expect(body.subErrors[0].field).toBe(`searchQueries.0.${hasProxy}.value`)
})

test('files of an earlier date are compared with each other, and deleted ones with none', async () => {
  await scanFiles('Others', { '/own/film.mov': video(20), '/hidden/bare_proxy.mov': small(30) }, othersId)
  const proxied = { [hasProxy]: { value: true } }
  expect(await found([onOthers, proxied])).toEqual(['film.mov'])
  expect(await found([onOthers, { isDeleted: { value: true } }, { [hasProxy]: { value: false } }])).toEqual([])
  expect(namesOf(await post('/v1/search?sort=name&indexingDate=2026-01-01', [onOthers, proxied]))).toEqual([
    'bare.mov',
    'film.mov',
  ])
})
