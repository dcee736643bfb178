import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HTTPRequest } from 'puppeteer'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Project, ProjectShare } from '#events/projects/calls.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const KiB = 1_024

/** A project of 100 KiB of films and 40 of archives. */
const project = {
  name: 'Alpine',
  allocatedSize: 200 * KiB,
  paths: [1, 2].map((volumeId) => ({ volumeId, path: '/' })),
}
const used = 140 * KiB
const allocate = (allocatedSize: number) => visit.product.call('PUT', '/projects', { ...project, id: 1, allocatedSize })

beforeAll(async () => {
  for (const [name, size] of [
    ['Films', 100],
    ['Archive', 40],
  ] as const) {
    const path = join(visit.scratch, name)
    mkdirSync(path)
    writeFileSync(join(path, 'all'), 'x'.repeat(size * KiB))
    await visit.product.addStorage({ name, path })
  }
  await visit.product.call('POST', '/v1/scans/volumes/ids', [1, 2])
  await visit.product.call('POST', '/projects', project)
})

/** The chart as it is drawn: its rings from the outermost, the words beside and amid them, and the shares of its legend. */
const drawn = () =>
  visit.page.evaluate(() => {
    const legend = document.querySelector('ul[aria-label="Storages of the chart"]')
    const svg = legend?.parentElement?.querySelector('svg')
    const texts = (of: string) => [...(svg?.querySelectorAll(of) ?? [])].map((text) => text.textContent)
    return {
      rings: [...(svg?.querySelectorAll('g') ?? [])].map((ring) =>
        [...ring.querySelectorAll('title')].map((title) => title.textContent),
      ),
      labels: texts('text:not([data-level])'),
      usage: texts('text[data-level]')[0],
      level: svg?.querySelector('text[data-level]')?.getAttribute('data-level'),
      legend: [...(legend?.querySelectorAll('button > span:last-child') ?? [])].map((share) => share.textContent),
    }
  })

test('a project is scanned, and opened', async () => {
  const found = async () => (await visit.product.call('GET', '/v1/projects/1')).answer
  await expect.poll(found, { timeout: 60_000 }).toMatchObject({ sizeOfFiles: used })
  await signInAt(visit, '/project/1')
})

const storages = ['Films', 'Archive']
const over = ['Over the allocated size']
const withSpace = [...storages, 'Space Left']
test.for([
  [79, '79.0 %', 'ok', [withSpace], ['56.4 %', '22.6 %', '21.0 %']],
  [80, '80.0 %', 'attention', [withSpace], ['57.1 %', '22.9 %', '20.0 %']],
  [99, '99.0 %', 'attention', [withSpace], ['70.7 %', '28.3 %', '1.0 %']],
  [100, '100.0 %', 'critical', [storages], ['71.4 %', '28.6 %']],
  [250, '250.0 %', 'critical', [storages, over, over], ['71.4 %', '28.6 %']],
  [500, '500.0 %', 'critical', [over, over, over, over, over], ['71.4 %', '28.6 %']],
] as const)('at %i % the rings say so, and their labels what the legend says', async (shown) => {
  const [percent, usage, level, rings, legend] = shown
  await allocate(Math.floor(used / (percent / 100)))
  await visit.page.reload()
  const labels = percent === 500 ? [] : legend.filter((share) => Number.parseFloat(share) > 5)
  await expect.poll(drawn).toEqual({ rings, usage, level, legend, labels })
})

test('all can read them', async () => {
  // One of them stands for all where no pictures are kept.
  for (const percent of process.env['SCREENSHOTS'] ? [79, 80, 99, 100, 250, 500] : [250]) {
    await allocate(Math.floor(used / (percent / 100)))
    await visit.page.reload()
    await expect.poll(drawn).toMatchObject({ usage: `${percent}.0 %` })
    expect(await look(visit, `project-rings-${percent}`)).toEqual([])
  }
})

test('the legend takes a storage out of the chart, and the shares are those of the rest', async () => {
  await allocate(200 * KiB)
  await visit.page.reload()
  await expect.poll(drawn).toMatchObject({ rings: [withSpace], legend: ['50.0 %', '20.0 %', '30.0 %'] })
  await hands(visit).pressAt('ul[aria-label="Storages of the chart"] button[title="Archive"]')
  await expect.poll(drawn).toMatchObject({
    rings: [['Films', 'Space Left']],
    legend: ['62.5 %', '', '37.5 %'],
    labels: ['62.5 %', '37.5 %'],
  })
})

/** Answers in place of the server what is asked at some addresses, until the test ends. */
async function answerAt(answers: [asked: RegExp, answer: object][]) {
  const { page } = visit
  const respond = (request: HTTPRequest) => {
    const found = answers.find(([asked]) => asked.test(request.url()))
    if (!found) return request.continue()
    return request.respond({ contentType: 'application/json', body: JSON.stringify(found[1]) })
  }
  await page.setRequestInterception(true)
  page.on('request', respond)
  onTestFinished(async () => {
    page.off('request', respond)
    await page.setRequestInterception(false)
  })
}

test('what lies in storage classes is priced by them, and stated by them', async () => {
  const { answer } = await visit.product.call('GET', '/v1/projects/1')
  const shown = answer as Project
  const GiB = KiB ** 3
  const price = (storageClass: string, price: number) => ({ storageClass, price, sizeOfFiles: 9 * GiB })
  const bucket = {
    ...(shown.projectShares[0] as ProjectShare),
    classes: { STANDARD: GiB, GLACIER: 2 * GiB },
    sizeOfFiles: 3 * GiB,
    storagePrice: {
      id: 1,
      description: 'Cloud',
      currencySymbol: '$',
      price: 9,
      classes: [price('STANDARD', 24), price('GLACIER', 6), price('DEEP_ARCHIVE', 1)],
    },
  }
  const month = { month: '2026-10', averageBytes: 3 * GiB, costs: [{ currencySymbol: '$', cost: 3 }], closedAt: null }
  const line = { volumeId: 1, volumeName: 'Bucket', currencySymbol: '$' }
  const lines = [
    { ...line, storageClass: 'GLACIER', averageBytes: 2 * GiB, cost: 1 },
    { ...line, storageClass: '', averageBytes: GiB, cost: 2 },
    { volumeId: 2, volumeName: 'Archive', storageClass: null, currencySymbol: null, averageBytes: 0, cost: null },
  ]
  await answerAt([
    [/projects\/1(\?|$)/, { ...shown, projectShares: [bucket] }],
    [/statements$/, [{ ...month, isComplete: true }]],
    [/statements\/2026-10$/, { ...month, isComplete: true, lines }],
  ])
  await visit.page.goto(`${visit.product.address}/project/1`)
  // 24 / 12 + 2 × 6 / 12, and not three times the average.
  await hands(visit).see(/Project Cost[^]*\$ 3\.00 per month/)
  const prices = 'Cloud: STANDARD $ 24.00 per GB and year, GLACIER $ 6.00 per GB and year'
  expect(await visit.page.$$(`main [title="${prices}"]`)).toHaveLength(1)
  await hands(visit).press('Statements', 'tab')
  const rows = () =>
    visit.page.$$eval('[aria-label="Statement of October 2026"] tr', (all) =>
      all.map((row) => row.innerText.replaceAll(/\s+/g, ' ').trim()),
    )
  await expect
    .poll(rows)
    .toEqual([
      'Storage Class Daily average Cost',
      'Bucket GLACIER 2.00 GiB $ 1.00',
      'Bucket No storage class 1.00 GiB $ 2.00',
      'Archive - 0 B -',
    ])
  expect(await look(visit, 'project-statement-classes')).toEqual([])
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
