import type { Base } from './base.ts'

export type Collection = {
  id: string
  title: string
  status: 'ACTIVE' | 'HIDDEN' | 'DELETED'
  parentId: string | undefined
  storageId: string | undefined
  externalId: string | undefined
  createdAt: string
  /** Ids of assets, in the order in which they were added. An asset that was added twice is there twice. */
  contents: string[]
}

export type Collections = { collections: Map<string, Collection> }

export type NewCollection = Partial<Omit<Collection, 'id' | 'contents'>>

export function addCollection({ collections, newId }: Base & Collections, values: NewCollection = {}): Collection {
  const id = newId()
  const collection: Collection = {
    title: `Collection ${collections.size + 1}`,
    status: 'ACTIVE',
    parentId: undefined,
    storageId: undefined,
    externalId: undefined,
    createdAt: '2025-01-01T10:00:00.000000',
    ...values,
    id,
    contents: [],
  }
  collections.set(id, collection)
  return collection
}

const titles = [
  'Dailies',
  'dailies',
  'Ünder äö',
  '日本語 🎬',
  '100% done',
  'A/B',
  ' ',
  'Archive "2025"',
  "O'Brien's cut",
]

/** Adds this number of collections, always the same ones: every tenth is at the top, titles repeat, some are hidden or deleted. */
export function fillCollections(iconik: Base & Collections, count: number): void {
  let top: Collection | undefined
  for (let i = 0; i < count; i++) {
    const status = i % 50 === 49 ? 'DELETED' : i % 50 === 48 ? 'HIDDEN' : 'ACTIVE'
    const parentId = i % 10 === 0 ? undefined : top?.id
    const collection = addCollection(iconik, { title: titles[i % titles.length] ?? '', status, parentId })
    if (i % 10 === 0) top = collection
  }
}

/** Collections from the top to this one. */
export function ancestry({ collections }: Collections, collection: Collection): Collection[] {
  const chain = [collection]
  for (let at = collections.get(collection.parentId ?? ''); at; at = collections.get(at.parentId ?? ''))
    chain.unshift(at)
  return chain
}
