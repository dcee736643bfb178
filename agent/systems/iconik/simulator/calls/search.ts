import { z } from 'zod'
import type { Answer } from '#agent/simulator/answers.ts'
import type { Asset } from '../contents/assets.ts'
import type { Iconik } from '../contents/iconik.ts'
import { shownAsset } from './assets.ts'
import { bodyOf, type Call, queryOf } from './call.ts'
import { pageOf, PageParameters } from './paging.ts'

const Search = z.strictObject({
  doc_types: z.array(z.enum(['assets'])).min(1),
  filter: z.strictObject({
    operator: z.enum(['AND', 'OR']),
    terms: z.array(z.strictObject({ name: z.enum(['external_id', 'title', 'id']), value: z.string() })).min(1),
  }),
})

const valueOf = {
  external_id: ({ externalId }: Asset) => externalId,
  title: ({ title }: Asset) => title,
  id: ({ id }: Asset) => id,
}

/** `POST search/v1/search/`. New assets appear after a delay. */
export function search(iconik: Iconik, call: Call): Answer {
  const { filter } = bodyOf(call, Search)
  const { sort: _, ...paging } = queryOf(call, z.strictObject(PageParameters))
  const indexedUntil = iconik.clock.now() - iconik.readings.searchDelayMs
  const isFound = (asset: Asset) => {
    const matches = filter.terms.map(({ name, value }) => valueOf[name](asset) === value)
    return filter.operator === 'AND' ? !matches.includes(false) : matches.includes(true)
  }
  const found = [...iconik.assets.values()]
    .filter((asset) => asset.status === 'ACTIVE' && asset.createdMs <= indexedUntil && isFound(asset))
    .map((asset) => ({ ...shownAsset(iconik, asset), object_type: 'assets' }))
  return pageOf(iconik, call, paging, found, { maxPerPage: 100, pastLastPage: iconik.readings.pastLastPage })
}
