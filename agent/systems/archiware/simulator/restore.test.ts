import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archive, jobOf, reportOf, restore, withStudio } from './testing.ts'

test('one handle restores a folder with its content, into another folder or where it was', async () => {
  const { p5, folder } = await withStudio()
  const { body } = await archive(p5, { paths: ['/mnt/media/reel', '/mnt/media/a'] })
  p5.clock.advance(10_000)
  const [reel, a] = body.entries.map(({ handle }: { handle: string }) => ({ ID: handle }))
  expect((await restore(p5, [reel], { relocate: '/mnt/media/new' })).status).toBe(500)
  mkdirSync(join(folder, 'new'))
  const requested = [reel, { ...a, targetPath: 'x/renamed' }]
  const restored = (await restore(p5, requested, { relocate: '/mnt/media/new' })).body
  for (const name of ['reel', 'a']) rmSync(join(folder, name), { recursive: true })
  await restore(p5, [a])
  p5.clock.advance(10_000)
  expect(await jobOf(p5, restored.ID)).toMatchObject({ completion: 'success', totalfiles: 3 })
  expect(readFileSync(join(folder, 'new/reel/c'), 'utf8')).toBe('content of reel/c')
  expect(
    ['new/reel/back\\slash', 'new/reel/empty', 'new/x/renamed', 'a'].map((path) => existsSync(join(folder, path))),
  ).not.toContain(false)
  for (const targetPath of ['', '/x', '../x'])
    expect((await restore(p5, [{ ...a, targetPath }], { relocate: '/mnt/media/new' })).status).toBe(500)
  expect((await restore(p5, [{ ID: 'Default-Archive#ffff' }])).body).toMatch('unknown entry')
})

test('files of one name collide, the latest generation counts, and its content may be made up', async () => {
  const { p5, folder, index } = await withStudio()
  index.add('one/clip', { size: 4_000 })
  index.change('one/clip', { size: 5_000 })
  index.add('two/clip', { size: 6_000 })
  const handles = ['one/clip', 'two/clip'].map((path) => ({ ID: index.handles.of(path) }))
  const { body } = await restore(p5, handles, { relocate: '/mnt/media' })
  p5.clock.advance(10_000)
  expect(await jobOf(p5, body.ID)).toMatchObject({ totalfiles: 2, totalkbytes: 11 })
  expect(readFileSync(join(folder, 'clip'))).toHaveLength(6_000)
})

test('a restore from an offline tape stays running, mentions it in its report only, and continues when it is online', async () => {
  const { p5, folder, index } = await withStudio()
  const tape = p5.addVolume('10105', { label: 'Vault.0005', isOnline: false })
  index.add('mnt/media/on tape', { size: 3, volumes: ['10105'] })
  const { body } = await restore(p5, [{ ID: index.handles.of('mnt/media/on tape') }])
  p5.clock.advance(86_400_000)
  expect((await jobOf(p5, body.ID)).status).toBe('running')
  expect((await reportOf(p5, body.ID)).match(/Waiting for volume 10105 \(Vault.0005\)/g)).toHaveLength(1)
  tape.isOnline = true
  p5.clock.advance(5_000)
  expect(await jobOf(p5, body.ID)).toMatchObject({ status: 'completed', completion: 'success' })
  expect(readFileSync(join(folder, 'on tape'))).toHaveLength(3)
})
