import { setTimeout as pause } from 'node:timers/promises'
import { median, percentile } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'
import { firstLoad } from './firstLoad.ts'
import { openTree, type ScrolledBoth, scrollFolder } from './scrolling.ts'
import { openSite, signedInPage, type Site } from './site.ts'
import { typedSearch } from './typedSearch.ts'

const say = (what: string, value: string, aim: string) =>
  console.log(what.padEnd(64) + value.padStart(24) + aim.padStart(12))
const ms = (value: number) => `${value.toFixed(0)} ms`
const both = (times: number[]) => `${ms(median(times))}, 95th ${ms(percentile(times, 0.95))}`
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`

function sayFrames(what: string, { byNotch, byScreen }: ScrolledBoth): void {
  for (const [how, { between, processor }] of Object.entries({ 'by 120 pixels': byNotch, 'by screens': byScreen })) {
    say(`${what}, ${how}, between frames`, both(between), '17 ms')
    say(`${what}, ${how}, processor time of a frame`, ms(processor), '17 ms')
  }
}

/**
 * `npm run bench -- screens`: the whole product and a browser over a scanned storage. Prints the size of a first visit,
 * the time from a response to its rows, the smoothness of scrolling long lists, and the time until another browser
 * shows a change. Processor times are those of the page's main thread, which other load on the machine hardly affects.
 * `--files` and `--folders` make the lists shorter.
 */
export const tool = defineTool({
  options: { files: 100_000, folders: 100 },
  async run(given) {
    const site = await openSite(given)
    say('', 'measured', 'target')
    const { scripts, styles, shown } = await firstLoad(site)
    say('first load of the dashboard, scripts', kilobytes(scripts), '250 kB')
    say('first load of the dashboard, styles', kilobytes(styles), '45 kB')
    say('first load of the dashboard, until figures are shown', ms(shown), '800 ms')
    say('typed search, from the response to its rows', both(await typedSearch(site)), '150 ms')
    say('tags changed elsewhere, until shown', both(await tagNews(site)), '1000 ms')
    sayFrames(`${given.files.toLocaleString('en')} rows`, await scrollFolder(site))
    const tree = await openTree(site)
    const rows = `tree of ${(given.folders ** 2).toLocaleString('en')} open rows`
    sayFrames(rows, tree.scrolled)
    say(`${rows}, processor time of a toggle`, ms(tree.toggled), '17 ms')
  },
})

/** Milliseconds from the response to a change of tags in one browser until another one shows it. */
async function tagNews(site: Site): Promise<number[]> {
  const page = await signedInPage(site)
  await page.goto(`${site.product.address}/filemanagement?volumeId=1&path=/`)
  await page.waitForSelector('[aria-label="Last column"]')
  await page.select('[aria-label="Last column"]', 'tags')
  const { call } = site.product
  const found = (await call('GET', '/files/search?search=notes')).answer as { elements: { fileId: string }[] }
  const file = found.elements[0]
  const times: number[] = []
  for (let round = 0; round < 10; round++) {
    const tag = `round-${round}`
    await call('PUT', `/files/${file?.fileId}`, { ...file, customTag: [tag] })
    const changed = performance.now()
    await page.waitForSelector(`tr[data-index] ::-p-text(${tag})`)
    times.push(performance.now() - changed)
    await pause(300)
  }
  await page.close()
  return times
}
