import { helpContents } from './helpContents.ts'
import type { HelpText } from './markdownPages.ts'

export type HelpArticle = HelpText & { name: string }

const texts = import.meta.glob<HelpText>('./pages/*.md', { eager: true, import: 'default' })

export const helpPage = (name: string): HelpArticle | undefined => {
  const text = texts[`./pages/${name}.md`]
  return text && { name, ...text }
}

/** Groups of the table of contents with their pages. */
export const helpGroups: { title: string; pages: HelpArticle[] }[] = helpContents.map(({ title, pages }) => ({
  title,
  pages: pages.flatMap((name) => helpPage(name) ?? []),
}))

export type HelpMatch = HelpArticle & { excerpt: string }

/** Characters of an excerpt before and after the word that was found. */
const [before, after] = [40, 80]

/** Pages that contain all words of the search, those with a word in their title first. */
export function searchHelp(search: string): HelpMatch[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return []
  const isIn = (text: string) => (word: string) => text.toLowerCase().includes(word)
  return helpGroups
    .flatMap(({ pages }) => pages)
    .filter(({ title, text }) => words.every(isIn(`${title} ${text}`)))
    .map((page) => ({ ...page, excerpt: excerptOf(page.text, first), isNamed: words.some(isIn(page.title)) }))
    .sort((one, other) => Number(other.isNamed) - Number(one.isNamed))
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word))
  const start = at <= before ? 0 : text.indexOf(' ', at - before) + 1
  const excerpt = text.slice(start, at + after)
  return `${start > 0 ? '… ' : ''}${excerpt}${at + after < text.length ? ' …' : ''}`
}
