import { productName } from '#server/platform/config.ts'

/** Colors of the product's light scheme; mail programs read no style sheets. */
const styles = {
  body: 'margin:0;padding:24px;background:#f5f6f8;color:#14181f;font:14px/1.5 Arial,sans-serif',
  card: 'max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e1e5ea;border-radius:6px',
  product: 'max-width:600px;margin:0 auto 12px;color:#48525f;font-size:13px;font-weight:bold',
  heading: 'margin:0 0 16px;font-size:18px;line-height:1.3',
  list: 'margin:0 0 16px;padding-left:20px',
  paragraph: 'margin:0 0 16px',
  button:
    'display:inline-block;padding:8px 16px;background:#1f63de;color:#ffffff;border-radius:4px;text-decoration:none',
} as const

/** A text for people, without the link that ends it. */
export type Message = { words: string; link: string | undefined }

/** Splits off the last line if it is a link, which is one of this product: names are only within lines. */
export function splitLink(text: string): Message {
  const [end = '', link] = /(?:^|\n)(?:See )?(https?:\/\/[^\s<>|]+)$/.exec(text) ?? []
  return { words: text.slice(0, text.length - end.length).trimEnd(), link }
}

/**
 * The HTML alternative of a text: its subject as heading, paragraphs, lists of lines that start with `- `, and a button for the
 * link at its end.
 */
export function mailHtml(subject: string, text: string): string {
  const trimmed = text.trim()
  const { words, link } = splitLink(trimmed.startsWith(`${subject}\n`) ? trimmed.slice(subject.length + 1) : trimmed)
  const blocks = words === '' ? [] : words.split(/\n{2,}/).map(blockOf)
  const content = [...blocks, ...(link === undefined ? [] : [buttonOf(link)])].join('')
  const heading = `<h1 style="${styles.heading}">${escapeHtml(subject)}</h1>`
  return `<!doctype html><html><body style="${styles.body}"><p style="${styles.product}">${productName}</p><div style="${styles.card}">${heading}${content}</div></body></html>`
}

function blockOf(block: string): string {
  const parts: string[] = []
  for (const [kind, lines] of runsOf(block.split('\n'))) {
    if (kind === 'item')
      parts.push(
        `<ul style="${styles.list}">${lines.map((line) => `<li>${escapeHtml(line.slice(2))}</li>`).join('')}</ul>`,
      )
    else parts.push(`<p style="${styles.paragraph}">${lines.map(escapeHtml).join('<br>')}</p>`)
  }
  return parts.join('')
}

type Kind = 'item' | 'text'

const kindOf = (line: string): Kind => (line.startsWith('- ') ? 'item' : 'text')

/** Groups neighboring lines of the same kind. */
function runsOf(lines: string[]): [Kind, string[]][] {
  const runs: [Kind, string[]][] = []
  for (const line of lines) {
    const kind = kindOf(line)
    const last = runs.at(-1)
    if (last?.[0] === kind) last[1].push(line)
    else runs.push([kind, [line]])
  }
  return runs
}

const buttonOf = (url: string): string =>
  `<p style="${styles.paragraph}"><a href="${escapeHtml(url)}" style="${styles.button}">Open in ${productName}</a></p>`

/** Text as content or as the value of an attribute in quotation marks. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
