import { isHolder } from '../mutate.ts'

type Endless = { count: number; place: string; items: 'kept' | 'none' | 'new' }

/** A page of a list, changed so that it says that another one follows, in the words of all systems. */
export function endlessPage(page: string, endless: Endless): string {
  if (!/^[[{]/.test(page)) return endlessXml(page, endless)
  const { place } = endless
  const changed = changedValue(JSON.parse(page), endless)
  if (Array.isArray(changed) || !isHolder(changed)) return JSON.stringify(changed)
  const links = { next: `/?page[cursor]=${place}&cursor=${place}` }
  const meta = { pageInfo: { hasNextPage: true, endCursor: place } }
  return JSON.stringify({
    pages: 1e9,
    resume: place,
    cursor: place,
    has_more: true,
    scroll_id: place,
    meta,
    ...changed,
    links,
  })
}

function changedValue(value: unknown, endless: Endless): unknown {
  const { count, place, items } = endless
  if (Array.isArray(value)) return items === 'none' ? [] : value.map((item) => changedValue(item, endless))
  if (!isHolder(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      if (/^has_?(more|next_?page)$/i.test(name)) return [name, true]
      if (/^(cursor|end_?cursor|next|next_url|resume|scroll_id)$/i.test(name) && !isHolder(held)) return [name, place]
      if (/^(pages|total|total_count)$/i.test(name)) return [name, 1e9]
      const isNew = items === 'new' && typeof held === 'string' && /^(id|.*_id|path.*|name)$/i.test(name)
      return [name, isNew ? `${held}-${count}` : changedValue(held, endless)]
    }),
  )
}

function endlessXml(page: string, { place, items }: Endless): string {
  const next = ['NextContinuationToken', 'NextMarker', 'NextKeyMarker'].map((name) => `<${name}>${place}</${name}>`)
  const kept =
    items === 'none'
      ? page.replaceAll(/<(Contents|CommonPrefixes|Version|Bucket|Blob|Container)>.*?<\/\1>/gs, '')
      : page
  return kept
    .replace('<NextMarker />', '')
    .replace('<IsTruncated>false', '<IsTruncated>true')
    .replace(/(?=<\/\w+>\s*$)/, next.join(''))
}
