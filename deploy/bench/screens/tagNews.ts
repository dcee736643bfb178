import { setTimeout as pause } from 'node:timers/promises'
import { type Site, signedInPage } from './site.ts'

/** From the answer to a change of tags in one browser until another one shows it, in milliseconds. */
export async function tagNews(site: Site): Promise<number[]> {
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
