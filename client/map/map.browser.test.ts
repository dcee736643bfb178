import { chownSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { scan } from '#client/testing/scan.ts'
import { exactSize } from '#client/ui/text/size.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
const mebibyte = 2 ** 20
const nobody = 65_534
let page: typeof visit.page
let person: ReturnType<typeof hands>

/** Creates a sparse file of this size. */
function put(path: string, mebibytes: number, owner?: number): void {
  const file = join(films, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  truncateSync(file, mebibytes * mebibyte)
  if (owner !== undefined) chownSync(file, owner, owner)
}

const flat = { 'a.mov': 400, 'b.wav': 350, 'c.tif': 150, 'd.txt': 100 }

/** From the root, the `card` folders are the deepest level of the map, so their contents are not drawn. */
function makeFilms(): void {
  put('shoot/day-1/card-1/raw/a.r3d', 600)
  put('shoot/day-1/card-1/sound/b.wav', 900)
  put('shoot/day-1/card-2/sound/a.wav', 300, nobody)
  put('shoot/day-1/card-2/raw/c.r3d', 100)
  put('shoot/day-2/card-1/proxy/a.mov', 250)
  for (const [name, size] of Object.entries(flat)) put(`flat/${name}`, size)
}

beforeAll(async () => {
  ;({ page } = visit)
  person = hands(visit)
  makeFilms()
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
})

const path = () => new URL(page.url()).searchParams.get('path')
const stage = '[role="application"]'
const room = async () => (await (await page.locator(stage).waitHandle()).boundingBox())!
/** Waits until the map is fully drawn. */
const settled = () => page.locator('section[aria-label="Map"][aria-busy="false"]').wait()
/** Hover card: path, and largest category of the folder. */
const card = () =>
  page.$eval(stage, (map) => {
    const largest = [...map.querySelectorAll('[aria-hidden] dl div')].find((fact) =>
      fact.textContent.startsWith('Largest'),
    )
    return {
      path: map.querySelector('[aria-hidden] p')?.textContent ?? '',
      largest: largest?.querySelector('dd')?.textContent ?? '',
    }
  })
/** Moves the pointer over the map and returns hover card and pixel color by path. */
async function parts() {
  const { x, y, width, height } = await room()
  const [columns, rows] = [10, 7]
  const found = new Map<string, { largest: string; x: number; y: number }>()
  for (let place = 0; place < columns * rows; place++) {
    const point = {
      x: (width * (Math.floor(place / rows) + 0.5)) / columns,
      y: (height * ((place % rows) + 0.5)) / rows,
    }
    await page.mouse.move(x + point.x, y + point.y)
    const { path, largest } = await card()
    found.set(path, { largest, ...point })
  }
  const colors = await page.$eval(
    `${stage} canvas`,
    (canvas, points) => {
      const context = (canvas as HTMLCanvasElement).getContext('2d')!
      return points.map(({ x, y }) =>
        [...context.getImageData(x * devicePixelRatio, y * devicePixelRatio, 1, 1).data].slice(0, 3).join(),
      )
    },
    [...found.values()],
  )
  return Object.fromEntries([...found].map(([path, { largest }], n) => [path, { largest, color: colors[n] }]))
}
/** Legend colors by label. */
const legend = () =>
  page.$$eval('[aria-label="Show only"] button:has(span)', (buttons) =>
    Object.fromEntries(
      buttons.map((button) => [
        button.childNodes[1]?.textContent ?? '',
        getComputedStyle(button.querySelector('span')!).backgroundColor.replace(/[^\d,]/g, ''),
      ]),
    ),
  )
/** Share of the canvas's pixels with each color. */
const shares = (colors: Record<string, string>) =>
  page.$eval(
    `${stage} canvas`,
    (canvas, colors) => {
      const { width, height } = canvas as HTMLCanvasElement
      const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
      const counts: Record<string, number> = {}
      for (let at = 0; at < data.length; at += 4) {
        const color = `${data[at]},${data[at + 1]},${data[at + 2]}`
        counts[color] = (counts[color] ?? 0) + 1
      }
      return Object.fromEntries(
        Object.entries(colors).map(([label, color]) => [label, (counts[color] ?? 0) / (width * height)]),
      )
    },
    colors,
  )
const announcement = () => page.$eval(`${stage} output`, ({ textContent }) => textContent)

test('a scanned storage is drawn in the colors of its types, and is entered by mouse', async () => {
  await signInAt(visit, '/settings/jobs')
  await page.goto(`${visit.product.address}/map?volumeId=1&path=/`)
  await person.choose('Color by', 'Color: Type')
  await settled()
  await expect.poll(async () => Object.keys(await legend())).toEqual(['wav', 'mov', 'tif', 'txt'])
  const [colors, seen] = [await legend(), await parts()]
  for (const [path, largest, color] of [
    ['/shoot/day-1/card-1', 'wav · 60.0 % of 1.46 GiB', 'wav'],
    ['/shoot/day-1/card-2', 'wav · 75.0 % of 400 MiB', 'wav'],
    ['/shoot/day-2/card-1', 'mov · 100.0 % of 250 MiB', 'mov'],
    ['/flat/c.tif', '', 'tif'],
  ] as const)
    expect([path, seen[path]]).toEqual([path, { largest, color: colors[color] }])
  expect(await look(visit, 'map-treemap')).toEqual([])
  await person.choose('Color by', 'Color: Owner')
  await settled()
  await expect.poll(async () => Object.keys(await legend())).toEqual(['root', 'nobody'])
  await person.choose('Color by', 'Color: Type')
  // The title of the largest folder is at the upper left; a click opens it.
  const { x, y } = await room()
  await page.mouse.click(x + 30, y + 9)
  await expect.poll(path).toBe('/shoot')
  await settled()
  await page.mouse.move(x + 20, y + 200)
  await expect.poll(async () => (await card()).path).toMatch(/^\/shoot\/day-1\/card-1/)
  await page.mouse.click(x + 20, y + 200, { count: 2 })
  await expect.poll(path).toMatch(/^\/shoot\/day-1\/card-1/)
  await person.press('Parent folder')
  await expect.poll(path).toMatch(/^\/shoot\/day-1/)
})

test('rectangles share the room as the files share the folder', async () => {
  await page.goto(`${visit.product.address}/map?volumeId=1&path=/flat`)
  await expect.poll(async () => Object.keys(await legend())).toEqual(['mov', 'wav', 'tif', 'txt'])
  const isNear = async () => {
    const drawn = await shares(await legend())
    return Object.entries(flat).filter(([name, size]) => Math.abs((drawn[name.slice(2)] ?? 0) - size / 1_000) > 0.04)
  }
  await expect.poll(isNear).toEqual([])
  await person.press('Show as table')
  const sizes = () =>
    page.$$eval('[aria-label="Map as a table"] tr[data-index]', (rows) =>
      rows.map((row) => [
        row.querySelector('bdi')?.textContent,
        row.querySelectorAll('td')[1]?.querySelector('span')?.title,
      ]),
    )
  await expect.poll(sizes).toEqual(Object.entries(flat).map(([name, size]) => [name, exactSize(size * mebibyte)]))
  expect(await look(visit, 'map-table')).toEqual([])
  await person.press('Show as map')
})

test('the keys go through the map, which says where they are', async () => {
  await person.press('Parent folder')
  await expect.poll(path).toBe('/')
  await page.focus(stage)
  await expect.poll(announcement).toMatch(/^shoot, folder, .* %, largest type wav · 55.8 % of 2.10 GiB, last access/)
  await person.key('Enter')
  await expect.poll(path).toBe('/shoot')
  await expect.poll(announcement).toMatch(/^day-1, folder/)
  for (const key of ['ArrowRight', 'ArrowDown'] as const) await person.key(key)
  await expect.poll(announcement).toMatch(/^day-2, folder/)
  await person.key('Backspace')
  await expect.poll(path).toBe('/')
  await expect.poll(announcement).toMatch(/^shoot, folder/)
})

test('a sunburst has the same colors; one click opens a folder, one in its middle the folder above', async () => {
  await person.choose('Shape', 'Sunburst')
  await settled()
  const [colors, seen] = [await legend(), await parts()]
  expect(seen['/shoot/day-1']).toEqual({ largest: 'wav · 63.1 % of 1.86 GiB', color: colors['wav'] })
  expect(await look(visit, 'map-sunburst')).toEqual([])
  const { x, y, width, height } = await room()
  const radius = Math.min(width, height) / 2
  await page.mouse.click(x + width / 2 + radius * 0.35, y + height / 2)
  await expect.poll(path).toBe('/shoot')
  await person.see(/\/shoot/)
  // The deeper folder may still be animating, and ignores clicks until then.
  const clickMiddle = () => page.mouse.click(x + width / 2, y + height / 2).then(path)
  await expect.poll(clickMiddle, { interval: 500 }).toBe('/')
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))

test('legend and list are inside their cards', async () => {
  await page.goto(`${visit.product.address}/map?volumeId=1&path=/`)
  await settled()
  const below = () =>
    page.$eval('section[aria-label="Map"]', (map) => {
      const ends = [...map.querySelectorAll('li, p, span')].map((text) => text.getBoundingClientRect().bottom)
      return Math.max(...ends) - map.getBoundingClientRect().bottom
    })
  await expect.poll(below).toBeLessThanOrEqual(0)
  await page.goto(`${visit.product.address}/map`)
  await person.see('Each opens its map')
  const beside = () =>
    page.$eval('main section', (card) => {
      const [row] = card.querySelectorAll('ol > li, ul > li')
      return row!.querySelector('span')!.getBoundingClientRect().left - card.getBoundingClientRect().left
    })
  await expect.poll(beside).toBeGreaterThanOrEqual(12)
})
