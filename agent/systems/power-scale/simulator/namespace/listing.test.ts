import { expect, test } from 'vitest'
import { fillTree, type PowerScaleSimulator, type Switches } from '../index.ts'
import { type Call, cluster, namespace, session, takeSnapshot } from '../testing.ts'

async function filled(count: number, switches: Partial<Switches> = {}): Promise<[PowerScaleSimulator, Call]> {
  const simulator = await cluster({ switches })
  fillTree(simulator.tree, count)
  return [simulator, await session(simulator)]
}

const namesOf = (children: { name: string }[]) => children.map(({ name }) => name)

/** Names of all pages. `next` makes the address of the next page. */
async function pages(call: Call, first: string, next: (token: string) => string): Promise<string[]> {
  const names: string[] = []
  for (let address: string | undefined = first; address;) {
    const { status, body } = await call('GET', address)
    expect(status).toBe(200)
    names.push(...namesOf(body.children))
    address = body.resume && next(body.resume)
  }
  return names
}

test('a listing has names only, or the attributes that it asks for', async () => {
  const { tree, ...simulator } = await cluster()
  tree.ensureDirectory('/ifs/data/a')
  tree.add('/ifs/data/a/clip.mov', { size: 734_003_200, uid: 4_000, mode: 0o640, mtime: 1_699_990_000 })
  const call = await session({ tree, ...simulator })
  const listed = async (query: string) => (await call('GET', `/namespace/ifs/data/a${query}`)).body.children
  expect(await listed('')).toEqual([{ name: 'clip.mov' }])
  expect(await listed('?detail=name,type,size,owner,mode,mtime_val,container_path')).toEqual([
    {
      name: 'clip.mov',
      type: 'object',
      size: 734_003_200,
      owner: 'UID:4000',
      mode: '0640',
      mtime_val: 1_699_990_000,
      container_path: '/ifs/data/a',
    },
  ])
  expect(Object.keys((await listed('?detail=default'))[0])).toHaveLength(7)
  expect(await listed('?detail=last_modified')).toEqual([{ last_modified: 'Tue, 14 Nov 2023 19:26:40 GMT' }])
  expect((await call('GET', '/namespace/ifs/data/a?detail=color')).status).toBe(400)
  expect((await call('GET', '/namespace/ifs/data/b')).body.errors[0].code).toBe('AEC_NOT_FOUND')
})

test('pages follow each other with the token and the same options, or with the token alone', async () => {
  const [simulator, call] = await filled(3_000)
  const address = '/namespace/ifs/data/not%20UTF-8'
  const options = '?limit=300&detail=name,size'
  const repeated = await pages(call, address + options, (token) => `${address}${options}&resume=${token}`)
  const alone = await pages(call, address + options, (token) => `${address}?resume=${token}`)
  expect(new Set(repeated).size).toBe(1_000)
  expect(alone).toEqual(repeated)
  const token = (await call('GET', address + options)).body.resume
  const statusOf = async (rest: string) => (await call('GET', rest)).status
  expect(await statusOf(`${address}?limit=301&detail=name,size&resume=${token}`)).toBe(400)
  expect(await statusOf(`/namespace/ifs/data?resume=${token}`)).toBe(400)
  expect(await statusOf(`${address}?resume=${token}x`)).toBe(400)
  simulator.switches.resume = 'alone'
  expect(await statusOf(`${address}${options}&resume=${token}`)).toBe(400)
  expect(await statusOf(`${address}?resume=${token}`)).toBe(200)
  simulator.switches.resume = 'withOptions'
  expect(await statusOf(`${address}?resume=${token}`)).toBe(400)
  expect(await statusOf(`${address}${options}&resume=${token}`)).toBe(200)
  simulator.switches.tokenLife = 60
  simulator.clock.advance(60)
  expect(await statusOf(`${address}${options}&resume=${token}`)).toBe(400)
})

test('a recursive listing has every entry below a directory once, each after its directory', async () => {
  const [, call] = await filled(5_000)
  const address = '/namespace/ifs/data?detail=name,container_path&max-depth=-1&limit=700'
  const paths: string[] = []
  for (let resume = ''; ;) {
    const { body } = await call('GET', address + resume)
    for (const { name, container_path: directory } of body.children) paths.push(`${directory}/${name}`)
    if (!body.resume) break
    resume = `&resume=${body.resume}`
  }
  expect(new Set(paths).size).toBe(5_000)
  const met = new Set(['/ifs/data'])
  for (const path of paths) {
    expect(met).toContain(path.slice(0, path.lastIndexOf('/')))
    met.add(path)
  }
  const { body } = await call('GET', '/namespace/ifs/data?max-depth=1&limit=-1')
  expect(body.children.length).toBeGreaterThan(1_000)
})

test('names keep their bytes, inodes may be above 2^53, and there are eight types', async () => {
  const [simulator, call] = await filled(3_000)
  const { text } = await call('GET', '/namespace/ifs/data/not%20UTF-8?detail=name,id&limit=20')
  expect(text).toContain('"name":"clip \xff\xfe0.mov"')
  const ids = [...text.matchAll(/"id":(\d+)/g)].map(([, id = '']) => BigInt(id))
  expect(ids.some((id) => id > 2n ** 53n)).toBe(true)
  expect(new Set(ids).size).toBe(20)
  expect((await call('GET', `${namespace('/ifs/data/kinds')}?detail=type`)).body.children).toHaveLength(8)
  const odd = (await call('GET', namespace('/ifs/data/odd names'))).body.children as { name: string }[]
  const texts = odd.map(({ name }) => Buffer.from(name, 'latin1').toString())
  expect(texts).toEqual(expect.arrayContaining(['per%cent %41', 'back\\slash', 'tab\tand\nnew line', '🎬 take 1.mov']))
  const path = Buffer.concat([Buffer.from('/ifs/data/'), Buffer.from([0xff, 0x25])])
  simulator.tree.addDirectory(path)
  expect((await call('GET', namespace(path))).body).toEqual({ children: [] })
  expect((await call('GET', '/namespace/ifs/data/%4')).status).toBe(400)
})

test('a snapshot is read below its name, and nothing else is in it', async () => {
  const simulator = await cluster()
  const { tree, switches } = simulator
  const call = await session(simulator)
  tree.ensureDirectory('/ifs/data/a/b')
  tree.ensureDirectory('/ifs/data/other')
  await takeSnapshot(call, 's1', '/ifs/data/a')
  tree.remove('/ifs/data/a/b')
  const listed = async (path: string) => (await call('GET', `/namespace${path}`)).body.children
  expect(await listed('/ifs/.snapshot')).toEqual([{ name: 's1' }])
  expect(await listed('/ifs/.snapshot/s1')).toEqual([{ name: 'data' }])
  expect(await listed('/ifs/.snapshot/s1/data')).toEqual([{ name: 'a' }])
  expect(await listed('/ifs/.snapshot/s1/data/a?detail=name,container_path')).toEqual([
    { name: 'b', container_path: '/ifs/.snapshot/s1/data/a' },
  ])
  expect(await listed('/ifs/data/a')).toEqual([])
  switches.containerPath = 'live'
  expect(await listed('/ifs/.snapshot/s1/data/a?detail=container_path')).toEqual([{ container_path: '/ifs/data/a' }])
  expect((await call('GET', '/namespace/ifs/.snapshot/s1/data/other')).status).toBe(404)
  expect((await call('GET', '/namespace/ifs/.snapshot/s2/data')).status).toBe(404)
})

test('a query finds names below a directory, within the limit of its body', async () => {
  const [simulator, call] = await filled(3_000)
  const query = (conditions: object[], rest = '', logic = 'or') =>
    call('POST', `/namespace/ifs/data?query&detail=name,type${rest}`, { scope: { logic, conditions } })
  const equals = (value: string) => ({ operator: '=', attr: 'name', value })
  const deep = await query([equals('shot 1'), equals('Case.mov'), equals('absent')], '&max-depth=-1')
  expect(new Set(namesOf(deep.body.children))).toEqual(new Set(['shot 1', 'Case.mov']))
  expect((await query([equals('kinds')])).body.children).toEqual([{ name: 'kinds', type: 'container' }])
  const all = await query(
    [
      { operator: 'like', attr: 'name', value: 'shot 1*' },
      { operator: 'in', attr: 'type', value: ['container'] },
      { operator: '>', attr: 'mtime_val', value: 0 },
    ],
    '&max-depth=-1&limit=3',
    'and',
  )
  expect(all.body.children).toHaveLength(3)
  expect(all.body.resume).toBeDefined()
  expect((await query([{ operator: 'near', attr: 'name', value: 'x' }])).status).toBe(400)
  expect((await query([equals('x'.repeat(9_000))])).status).toBe(413)
  simulator.switches.largeQueryStatus = 400
  expect((await query([equals('x'.repeat(9_000))])).status).toBe(400)
})

test('a recursive listing ignores an ACL that a query obeys', async () => {
  const users = [{ username: 'scan', password: 'secret', without: ['ISI_PRIV_NS_TRAVERSE' as const] }]
  const simulator = await cluster({ users })
  simulator.tree.ensureDirectory('/ifs/data/closed/inside')
  simulator.tree.set('/ifs/data/closed', { isClosed: true })
  const call = await session(simulator)
  expect((await call('GET', '/namespace/ifs/data/closed')).status).toBe(403)
  const listed = await call('GET', '/namespace/ifs/data?max-depth=-1')
  expect(namesOf(listed.body.children)).toEqual(['closed', 'inside'])
  const scope = { logic: 'and', conditions: [{ operator: '=', attr: 'type', value: 'container' }] }
  const queried = await call('POST', '/namespace/ifs/data?query&max-depth=-1', { scope })
  expect(namesOf(queried.body.children)).toEqual(['closed'])
})

test('a listing is sorted and filtered where it asks for that', async () => {
  const simulator = await cluster()
  const { tree } = simulator
  tree.ensureDirectory('/ifs/data')
  for (const [name, size] of [
    ['b', 2],
    ['a', 3],
    ['.c', 1],
  ] as const)
    tree.add(`/ifs/data/${name}`, { size })
  tree.addDirectory('/ifs/data/d')
  const call = await session(simulator)
  const listed = async (query: string) => namesOf((await call('GET', `/namespace/ifs/data?${query}`)).body.children)
  expect(await listed('type=object&sort=size&dir=DESC')).toEqual(['a', 'b', '.c'])
  expect(await listed('hidden=false&sort=name')).toEqual(['a', 'b', 'd'])
  expect((await call('GET', '/namespace/ifs/data?sort=name&limit=1001')).status).toBe(400)
})

test('metadata describes one entry', async () => {
  const simulator = await cluster()
  simulator.tree.add('/ifs/clip.mov', { size: 5 })
  const call = await session(simulator)
  const { attrs } = (await call('GET', '/namespace/ifs/clip.mov?metadata')).body
  expect(attrs).toContainEqual({ name: 'size', value: '5', namespace: null })
})
