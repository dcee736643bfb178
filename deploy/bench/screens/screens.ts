import { median, percentile } from '../questions/samples.ts'
import { firstLoad } from './firstLoad.ts'
import { openTree } from './openTree.ts'
import { scrollFolder } from './scrolling.ts'
import { openSite } from './site.ts'
import { tagNews } from './tagNews.ts'
import { typedSearch } from './typedSearch.ts'

/**
 * `npm run bench -- screens`: the whole product and a browser over a scanned storage. Prints what a first visit loads, how soon
 * rows stand after their answer, how evenly long lists scroll, and how soon a change of one browser is in another. Processor
 * times are those of the page's main thread, which other work on the machine changes little.
 */
const wide = 52
const say = (what: string, value: string, aim: string) =>
  console.log(what.padEnd(wide) + value.padStart(24) + aim.padStart(12))
const ms = (value: number) => `${value.toFixed(0)} ms`
const both = (times: number[]) => `${ms(median(times))}, 95th ${ms(percentile(times, 0.95))}`
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`

const site = await openSite()
try {
  say('', 'seen', 'aim')
  const { scripts, styles, shown } = await firstLoad(site)
  say('first load of the dashboard, scripts', kilobytes(scripts), '250 kB')
  say('first load of the dashboard, styles', kilobytes(styles), '45 kB')
  say('first load of the dashboard, until it has figures', ms(shown), '800 ms')
  say('typed search, from the answer to its rows', both(await typedSearch(site)), '150 ms')
  say('tags changed elsewhere, until they are shown', both(await tagNews(site)), '1000 ms')
  const folder = await scrollFolder(site)
  say('100,000 rows, time between frames', both(folder.between), '17 ms')
  say('100,000 rows, processor time of a frame', ms(folder.processor), '17 ms')
  const tree = await openTree(site)
  say('tree of 10,000 open rows, time between frames', both(tree.scrolled.between), '17 ms')
  say('tree of 10,000 open rows, processor time of a frame', ms(tree.scrolled.processor), '17 ms')
  say('tree of 10,000 open rows, processor time of a toggle', ms(tree.toggled), '17 ms')
} finally {
  await site.stop()
}
