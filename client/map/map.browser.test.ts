import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan } from '#client/testing/scan.ts'
import { exactSize } from '#client/ui/text/size.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
const mebibyte = 2 ** 20
let page: typeof visit.page
let person: ReturnType<typeof hands>
const look = (name: string) => lookAt(visit, name)
const address = () => new URL(page.url()).searchParams.get('path')

/** A file of this size that was read so many days ago; it takes no room of the disk. */
function put(path: string, size: number, daysAgo = 0): void {
  const file = join(films, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  truncateSync(file, size)
  const at = Date.now() / 1000 - daysAgo * 86_400
  utimesSync(file, at, at)
}

const flat = { 'a.mov': 400, 'b.wav': 300, 'c.tif': 200, 'd.txt': 100 }

/** Projects of shots, a folder of four files, one of many small ones, one without anything. */
function makeFilms(): void {
  const kinds = ['exr', 'mov', 'wav', 'psd', 'dpx', 'nk', 'json', '']
  let n = 0
  for (const [project, shots] of [
    ['alpine', 9],
    ['baltic', 6],
    ['cobalt', 4],
  ] as const)
    for (let shot = 1; shot <= shots; shot++)
      for (let take = 1; take <= 6; take++) {
        const ending = kinds[n++ % kinds.length]
        const name = `take-${take}${ending && `.${ending}`}`
        put(`projects/${project}/shot-${shot}/${name}`, (20 + ((n * 37) % 90)) * mebibyte, (n * 53) % 500)
      }
  for (const [name, size] of Object.entries(flat)) put(`flat/${name}`, size * mebibyte, size)
  for (let file = 0; file < 400; file++) put(`many/frame.${file}.dpx`, mebibyte, 40)
  mkdirSync(join(films, 'nothing'))
}

const earlier = '2026-01-05'

beforeAll(async () => {
  page = visit.page
  person = hands(visit)
  makeFilms()
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
  await backdate(await testDb(), earlier)
  put('projects/alpine/shot-1/new.mov', 700 * mebibyte)
  put('flat/b.wav', 350 * mebibyte)
  put('flat/c.tif', 150 * mebibyte)
  rmSync(join(films, 'projects/cobalt/shot-1'), { recursive: true })
  await scan(visit, 1)
})

const open = async (path: string) => {
  await page.goto(`${visit.product.address}/map?${new URLSearchParams({ volumeId: '1', path })}`)
  await page.locator('[role="application"]').wait()
}
/** Name and exact size of each row of the table. */
const rows = () =>
  page.$$eval('[aria-label="Map as a table"] tr[data-index]', (rows) =>
    rows.map((row) => [
      row.querySelector('bdi')?.textContent,
      row.querySelectorAll('td')[1]?.querySelector('span')?.title,
    ]),
  )
const room = async () => (await (await page.locator('[role="application"]').waitHandle()).boundingBox())!
/** What the card beside the pointer says at a point, in parts of the map. */
const at = async (x: number, y: number) => {
  const box = await room()
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y)
  return page.$eval('[role="application"]', (map) => map.querySelector('[aria-hidden] p')?.textContent ?? '')
}
const said = () => page.$eval('[role="application"] output', ({ textContent }) => textContent)

test('a folder is drawn three levels deep, and says the sizes of the scan', async () => {
  await signInAt(visit, '/settings')
  await open('/')
  expect(await look('map-treemap')).toEqual([])
  await at(0.3, 0.4)
  await page.screenshot({ path: join(process.env['SCREENSHOTS'] ?? visit.scratch, 'map-hover.png') })
  await person.press('Show as table')
  await expect.poll(async () => (await rows())[0]?.[0]).toBe('projects')
  const table = new Map((await rows()).map(([name, size]) => [name, size]))
  expect(table.get('flat')).toBe(exactSize(1_000 * mebibyte))
  expect(table.get('flat/a.mov')).toBe(exactSize(400 * mebibyte))
  expect(table.get('projects/alpine/shot-1')).toMatch(/bytes$/)
  expect(await look('map-table')).toEqual([])
  await page.goto(`${visit.product.address}/map?volumeId=1&path=/many`)
  await person.press('Show as table')
  await person.see('Smaller items (200)')
  await person.press('Show as map')
})

test('rectangles share the room as the files share the folder', async () => {
  await open('/flat')
  await person.see('1000 MiB')
  const seen: Record<string, number> = {}
  const steps = 20
  for (let x = 0; x < steps; x++)
    for (let y = 0; y < steps; y++) {
      const name = await at((x + 0.5) / steps, (y + 0.5) / steps)
      seen[name] = (seen[name] ?? 0) + 1 / steps ** 2
    }
  for (const [name, share] of Object.entries({ 'a.mov': 0.4, 'b.wav': 0.35, 'c.tif': 0.15, 'd.txt': 0.1 }))
    expect([name, Math.abs((seen[`/flat/${name}`] ?? 0) - share) < 0.04]).toEqual([name, true])
})

test('one click on the name of a folder goes deeper, and the button comes back', async () => {
  await open('/')
  await expect.poll(() => at(0.02, 0.012)).toBe('/projects')
  const { x, y } = await room()
  await page.mouse.click(x + 30, y + 9)
  await expect.poll(address).toBe('/projects')
  await expect.poll(() => at(0.02, 0.012)).toBe('/projects/alpine')
  await page.mouse.click(x + 30, y + 200, { count: 2 })
  await expect.poll(address).toMatch(/^\/projects\/alpine\/shot/)
  await person.press('Folder above')
  await expect.poll(address).toBe('/projects/alpine')
})

test('colours mean what was chosen, and the legend filters', async () => {
  await open('/projects/alpine')
  for (const [colour, words] of [
    ['Type', /exr[^]*Other types/],
    ['Owner', /root/],
    ['Depth', /Level 2/],
    ['Age', /Last 30 days[^]*Over a year/],
  ] as const) {
    await person.choose('Colour by', `Colour: ${colour}`)
    await person.see(words)
    expect(await look(`map-${colour.toLowerCase()}`)).toEqual([])
  }
  await person.pressAt('button ::-p-text(Over a year)')
  expect(await look('map-filtered')).toEqual([])
  await person.press('Show as table')
  await expect.poll(async () => (await rows()).length).toBeGreaterThan(3)
  expect(
    await page.$$eval('[aria-label="Map as a table"] td:nth-child(4)', (cells) => [
      ...new Set(cells.map(({ textContent }) => textContent)),
    ]),
  ).toEqual(['Over a year'])
  await person.press('Show as map')
  await person.press('Show all')
})

test('growth is counted between two snapshots', async () => {
  await person.choose('Colour by', 'Colour: Growth')
  await person.see(`Since ${earlier}`)
  await person.see(/New\s*700 MiB/)
  await open('/')
  await person.see(/Grown[^]*Shrunk[^]*Unchanged/)
  expect(await look('map-growth')).toEqual([])
  await person.press('Show as table')
  const change = (name: string) =>
    page.$$eval(
      '[aria-label="Map as a table"] tr[data-index]',
      (rows, name) =>
        rows.find((row) => row.querySelector('bdi')?.textContent === name)?.querySelectorAll('td')[4]?.textContent,
      name,
    )
  await expect.poll(() => change('flat/b.wav')).toBe('+50.0 MiB')
  expect(await change('flat/c.tif')).toBe('−50.0 MiB')
  expect(await change('flat/a.mov')).toBe('0 B')
  await person.press('Show as map')
})

test('the keyboard alone goes through the map, and hears where it is', async () => {
  await open('/')
  await page.focus('[role="application"]')
  await expect.poll(said).toMatch(/^projects, folder, .* %, last access/)
  await person.key('Enter')
  await expect.poll(address).toBe('/projects')
  await expect.poll(said).toMatch(/^alpine, folder/)
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown'] as const) await person.key(key)
  expect(await said()).toMatch(/^(baltic|cobalt), folder/)
  await person.key('Backspace')
  await expect.poll(address).toBe('/')
  await expect.poll(said).toMatch(/^projects, folder/)
  expect(await look('map-focus')).toEqual([])
})

test('a sunburst shows the same folder: one click goes deeper, one in its middle up again', async () => {
  await person.choose('Colour by', 'Colour: Type')
  await person.choose('Shape', 'Sunburst')
  expect(await look('map-sunburst')).toEqual([])
  const { x, y, width, height } = await room()
  const radius = Math.min(width, height) / 2
  await page.mouse.click(x + width / 2 + radius * 0.35, y + height / 2)
  await expect.poll(address).toBe('/projects')
  await person.see(/\/projects/)
  expect(await look('map-sunburst-deeper')).toEqual([])
  // The deeper folder may still be on its way in, and takes no click yet.
  const clickMiddle = () => page.mouse.click(x + width / 2, y + height / 2).then(address)
  await expect.poll(clickMiddle, { interval: 500 }).toBe('/')
  await page.focus('[role="application"]')
  await expect.poll(said).toMatch(/^projects, folder/)
  await person.choose('Shape', 'Treemap')
})

test('an empty folder, one that is not there and none at all say so', async () => {
  await page.goto(`${visit.product.address}/map?volumeId=1&path=/nothing`)
  await person.see('Nothing in this folder takes up space.')
  expect(await look('map-empty')).toEqual([])
  await page.goto(`${visit.product.address}/map?volumeId=1&path=/nowhere`)
  await person.see('There is no folder /nowhere')
  expect(await look('map-failing')).toEqual([])
  await page.goto(`${visit.product.address}/map`)
  await person.see('No folder found')
  expect(visit.complaints).toEqual([])
})
