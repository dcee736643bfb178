import { chownSync, mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HTTPRequest } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { barriers, hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
const reels = join(visit.scratch, 'reels')
const mebibyte = 2 ** 20
const nobody = 65_534
let page: typeof visit.page
let person: ReturnType<typeof hands>
const look = (name: string) => lookAt(visit, name)

/** A file of this size; it takes no room of the disk. */
function put(path: string, mebibytes: number, owner?: number): void {
  const file = join(reels, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  truncateSync(file, mebibytes * mebibyte)
  if (owner !== undefined) chownSync(file, owner, owner)
}

/** Seen from the root, the cards are the deepest folders of the map: what they hold is not drawn. */
function makeReels(): void {
  put('shoot/day-1/card-1/raw/a.r3d', 600)
  put('shoot/day-1/card-1/raw/b.wav', 200)
  put('shoot/day-1/card-2/sound/a.wav', 300, nobody)
  put('shoot/day-1/card-2/raw/c.r3d', 100)
  put('shoot/day-2/card-1/proxy/a.mov', 250)
  put('shoot/day-2/card-2/stills/a', 120)
  put('shoot/day-2/card-2/stills/b.jpg', 90)
  const rare = ['exr', 'dpx', 'psd', 'nk', 'xml', 'pdf']
  rare.forEach((ending, n) => put(`office/${ending}/in/it/a.${ending}`, 60 - n))
  put('plan.pdf', 1)
}

const earlier = '2026-01-05'

beforeAll(async () => {
  page = visit.page
  person = hands(visit)
  makeReels()
  await visit.product.addStorage({ name: 'Reels', path: reels })
  await scan(visit, 1)
  await backdate(await testDb(), earlier)
  put('shoot/day-1/card-1/sound/late.wav', 700)
  await scan(visit, 1)
})

const open = async (path: string, more: Record<string, string> = {}) => {
  await page.goto(`${visit.product.address}/map?${new URLSearchParams({ volumeId: '1', path, ...more })}`)
  await page.locator('[role="application"]').wait()
}
const type = async () => person.choose('Colour by', 'Colour: Type')

/** What the card beside the pointer says: the path, and what the folder mostly consists of. */
const card = () =>
  page.$eval('[role="application"]', (map) => {
    const told = [...map.querySelectorAll('[aria-hidden] dl div')].find((fact) =>
      fact.textContent.startsWith('Largest'),
    )
    return {
      path: map.querySelector('[aria-hidden] p')?.textContent ?? '',
      says: told?.querySelector('dd')?.textContent ?? '',
    }
  })
/** Goes over the map with the pointer: what is said at each path, and the colour at its lower right, away from its name. */
async function parts() {
  const { x, y, width, height } = (await (await page.locator('[role="application"]').waitHandle()).boundingBox())!
  const [columns, rows] = [20, 14]
  const found = new Map<string, { says: string; x: number; y: number }>()
  for (let place = 0; place < columns * rows; place++) {
    const point = {
      x: (width * (Math.floor(place / rows) + 0.5)) / columns,
      y: (height * ((place % rows) + 0.5)) / rows,
    }
    await page.mouse.move(x + point.x, y + point.y)
    const { path, says } = await card()
    found.set(path, { says, ...point })
  }
  const colours = await page.$eval(
    '[role="application"] canvas',
    (canvas, points) => {
      const context = (canvas as HTMLCanvasElement).getContext('2d')!
      return points.map(({ x, y }) =>
        [...context.getImageData(x * devicePixelRatio, y * devicePixelRatio, 1, 1).data].slice(0, 3).join(),
      )
    },
    [...found.values()],
  )
  return Object.fromEntries([...found].map(([path, { says }], n) => [path, { says, colour: colours[n] }]))
}
/** The colours of the legend by what they mean, in its order. */
const legend = () =>
  page.$$eval('[aria-label="Show only"] button:has(span)', (buttons) =>
    Object.fromEntries(
      buttons.map((button) => [
        button.childNodes[1]?.textContent ?? '',
        getComputedStyle(button.querySelector('span')!).backgroundColor.replace(/[^\d,]/g, ''),
      ]),
    ),
  )
/** Waits until all is there that the map is drawn of. */
const told = async () => {
  await page.locator('section[aria-label="Map"][aria-busy="false"]').wait()
  expect(await legend()).not.toHaveProperty('Folders, being read')
}

test('a closed folder has the colour of the type with most bytes below it', async () => {
  await signInAt(visit, '/settings')
  await open('/')
  await type()
  await told()
  const [colours, seen] = [await legend(), await parts()]
  expect(Object.keys(colours)).toEqual(['wav', 'mov', 'No extension', 'exr', 'dpx', 'psd', 'Other types'])
  for (const [path, says, colour] of [
    ['/shoot/day-1/card-1', 'wav · 60.0 % of 1.46 GiB', 'wav'],
    ['/shoot/day-1/card-2', 'wav · 75.0 % of 400 MiB', 'wav'],
    ['/shoot/day-2/card-1', 'mov · 100.0 % of 250 MiB', 'mov'],
    ['/shoot/day-2/card-2', 'No extension · 57.1 % of 210 MiB', 'No extension'],
    ['/office/nk/in', 'nk · 100.0 % of 57.0 MiB', 'Other types'],
  ] as const)
    expect([path, seen[path]]).toEqual([path, { says, colour: colours[colour] }])
  expect(await look('map-mostly-treemap')).toEqual([])
})

test('one click deeper what was closed is open, and what is closed there has its own colour', async () => {
  await open('/shoot/day-1')
  await told()
  const colours = await legend()
  expect(Object.keys(colours)).toEqual(['wav', 'r3d'])
  const { x, y } = (await (await page.locator('[role="application"]').waitHandle()).boundingBox())!
  await page.mouse.click(x + 30, y + 9)
  await expect.poll(() => new URL(page.url()).searchParams.get('path')).toBe('/shoot/day-1/card-1')
  await told()
  // Files are drawn now, each in its own colour.
  const [after, seen] = [await legend(), await parts()]
  expect(seen['/shoot/day-1/card-1/raw/a.r3d']).toEqual({ says: '', colour: after['r3d'] })
  expect(seen['/shoot/day-1/card-1/raw/b.wav']).toEqual({ says: '', colour: after['wav'] })
})

test('an older date has the types of that date', async () => {
  await open('/', { date: earlier })
  await told()
  const colour = (await legend())['r3d']
  expect((await parts())['/shoot/day-1/card-1']).toEqual({ says: 'r3d · 75.0 % of 800 MiB', colour })
})

test('owners are told likewise, and the keyboard hears both', async () => {
  await open('/')
  await person.choose('Colour by', 'Colour: Owner')
  await told()
  const colours = await legend()
  expect(Object.keys(colours)).toEqual(['root', 'nobody'])
  const seen = await parts()
  expect(seen['/shoot/day-1/card-2']).toEqual({ says: 'nobody · 75.0 % of 400 MiB', colour: colours['nobody'] })
  expect(await look('map-mostly-owner')).toEqual([])
  await type()
  await told()
  await page.focus('[role="application"]')
  const said = () => page.$eval('[role="application"] output', ({ textContent }) => textContent)
  await expect.poll(said).toMatch(/^shoot, folder, .* %, largest type wav · 50.8 % of 2.30 GiB, last access/)
})

test('a sunburst has the same colours, of folders that are looked into too', async () => {
  await person.choose('Shape', 'Sunburst')
  expect(await look('map-mostly-sunburst')).toEqual([])
  const [colours, seen] = [await legend(), await parts()]
  expect(seen['/shoot/day-1']).toEqual({ says: 'wav · 63.1 % of 1.86 GiB', colour: colours['wav'] })
  expect(seen['/shoot/day-2/card-1']).toEqual({ says: 'mov · 100.0 % of 250 MiB', colour: colours['mov'] })
  await person.choose('Shape', 'Treemap')
})

test('the map can be used while it is read, and a failure can be tried again', async () => {
  let held: HTTPRequest | undefined
  await page.setRequestInterception(true)
  const hold = (request: HTTPRequest) => {
    if (request.url().includes('/map/dominant')) held = request
    else void request.continue()
  }
  page.on('request', hold)
  await open('/')
  await expect.poll(() => held).toBeDefined()
  await expect.poll(legend).toHaveProperty('Folders, being read')
  const plain = (await legend())['Folders, being read']
  await person.pressAt('::-p-xpath(//button[starts-with(., "Folders, being read")])')
  await person.see('Show all')
  expect((await parts())['/shoot/day-2/card-1']).toEqual({ says: 'being read', colour: plain })
  // It never stands still, so it is looked at only as it is.
  expect(await barriers(page)).toEqual([])
  await held?.respond({ status: 503, contentType: 'application/json', body: '{"message":"The store is away"}' })
  await person.see('The store is away')
  await expect.poll(legend).toHaveProperty('Folders, not read')
  expect(await look('map-mostly-failed')).toEqual([])
  held = undefined
  await person.press('Retry')
  await expect.poll(() => held).toBeDefined()
  await person.seeNo('The store is away')
  await held!.continue()
  await told()
  // What was picked of the legend is not there any more.
  await person.seeNo('Show all')
  await expect.poll(legend).toHaveProperty('wav')
  page.off('request', hold)
  await page.setRequestInterception(false)
})

test('colours that do not need it do not ask for it, nor does a folder of files alone', async () => {
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  const isAsked = () => asked.some((path) => path.endsWith('/map/dominant'))
  await person.choose('Colour by', 'Colour: Depth')
  await open('/')
  await person.see('Level 1')
  await open('/shoot/day-1/card-1/raw')
  await type()
  await person.see('r3d')
  expect(isAsked()).toBe(false)
  await open('/')
  await told()
  expect(isAsked()).toBe(true)
})

test('the legend of ages adds up to the folder, here and below', async () => {
  // A folder whose files are old, but for a small one.
  const at = (path: string, days: number) => {
    const then = new Date(Date.now() - days * 86_400_000)
    utimesSync(join(reels, path), then, then)
  }
  at('shoot/day-2/card-1/proxy/a.mov', 400)
  at('shoot/day-2/card-2/stills/a', 100)
  await scan(visit, 1)
  await open('/')
  await person.choose('Colour by', 'Colour: Age')
  const sizes = () =>
    page.$$eval('[aria-label="Show only"] button:has(span)', (buttons) =>
      Object.fromEntries(
        buttons.map((button) => [
          button.childNodes[1]?.textContent ?? '',
          button.querySelector('[title]')?.getAttribute('title')?.replace(/\D/g, '') ?? '0',
        ]),
      ),
    )
  const told = async (path: string) => {
    await open(path)
    await page.locator('section[aria-label="Map"][aria-busy="false"]').wait()
    await expect.poll(sizes).not.toHaveProperty('Folders, being read')
    return Object.entries(await sizes()).filter(([, size]) => size !== '0')
  }
  const whole = Object.fromEntries(await told('/'))
  expect(whole).toMatchObject({ 'Over a year': `${250 * mebibyte}`, '90 to 180 days': `${120 * mebibyte}` })
  expect(await told('/shoot/day-2')).toEqual([
    ['Last 30 days', `${90 * mebibyte}`],
    ['90 to 180 days', `${120 * mebibyte}`],
    ['Over a year', `${250 * mebibyte}`],
  ])
  expect(await look('map-ages')).toEqual([])
})

test('nothing of it made the browser complain', () =>
  expect(visit.complaints.filter((complaint) => !complaint.includes('status of 503'))).toEqual([]))
