import { readFileSync } from 'node:fs'
import { Marked } from 'marked'
import type { Plugin } from 'vite'

/** A page of the help. `html` is without the title; `text` is for searching. */
export type HelpText = { title: string; html: string; text: string }

const marked = new Marked()

/** Reads a page. Throws if its first line is not a title. */
export function readHelpText(markdown: string): HelpText {
  const [, title, content = ''] = /^# (.+)\n([^]*)$/.exec(markdown) ?? []
  if (title === undefined) throw new Error('A page of the help starts with a title')
  const html = marked.parse(content, { async: false })
  return { title, html, text: textOf(html) }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** Makes a module of each Markdown file, so that browsers need no Markdown library. */
export const markdownPages = (): Plugin => ({
  name: 'markdown-pages',
  load: {
    filter: { id: /\.md$/ },
    handler: (file) => ({
      code: `export default ${JSON.stringify(readHelpText(readFileSync(file, 'utf8')))}`,
      moduleType: 'js',
    }),
  },
})
