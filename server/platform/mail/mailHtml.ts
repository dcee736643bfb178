import { productName } from '#server/config.ts'

/** Colors of the product's light scheme; mail programs read no style sheets. */
const styles = {
  body: 'margin:0;padding:24px;background:#f5f6f8;color:#14181f;font:14px/1.5 Arial,sans-serif',
  card: 'max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e1e5ea;border-radius:6px',
  list: 'margin:0 0 16px;padding-left:20px',
  paragraph: 'margin:0 0 16px',
  button:
    'display:inline-block;padding:8px 16px;background:#1f63de;color:#ffffff;border-radius:4px;text-decoration:none',
} as const

/** The HTML alternative of a text: paragraphs, lists of lines that start with `- `, and a button for a line with a link. */
export function mailHtml(text: string): string {
  const blocks = text.trim().split(/\n{2,}/)
  return `<!doctype html><html><body style="${styles.body}"><div style="${styles.card}">${blocks.map(blockOf).join('')}</div></body></html>`
}

const linkLine = /^(?:See )?(https?:\/\/\S+)$/

function blockOf(block: string): string {
  const parts: string[] = []
  for (const [kind, lines] of runsOf(block.split('\n'))) {
    if (kind === 'item')
      parts.push(
        `<ul style="${styles.list}">${lines.map((line) => `<li>${escapeHtml(line.slice(2))}</li>`).join('')}</ul>`,
      )
    else if (kind === 'link') parts.push(...lines.map(buttonOf))
    else parts.push(`<p style="${styles.paragraph}">${lines.map(escapeHtml).join('<br>')}</p>`)
  }
  return parts.join('')
}

type Kind = 'item' | 'link' | 'text'

const kindOf = (line: string): Kind => (line.startsWith('- ') ? 'item' : linkLine.test(line) ? 'link' : 'text')

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

function buttonOf(line: string): string {
  const [, url = ''] = linkLine.exec(line) ?? []
  return `<p style="${styles.paragraph}"><a href="${escapeHtml(url)}" style="${styles.button}">Open in ${productName}</a></p>`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
