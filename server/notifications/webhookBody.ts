import { cleanText } from '#events/contract/cleanText.ts'
import { type BodyFormat, fillTemplate } from '#events/notifications/webhooks.ts'

/** Content of a webhook: a subject, a text for people, and all data as JSON. */
export type WebhookContent = { subject: string; text: string; data: string }

/** Maximum characters of a message; receivers refuse longer ones. ntfy counts bytes. */
const maxSlack = 10_000
const maxTeams = 10_000
const maxDiscord = 2_000
const maxNtfyBytes = 4_000

/** The body of a webhook and its media type. */
export function webhookBodyOf(format: BodyFormat, template: string | null, content: WebhookContent) {
  const { subject, data } = content
  const text = content.text.trim() === '' ? data : content.text.trim()
  switch (format) {
    case 'JSON':
      return json(data)
    case 'SLACK':
      return json(JSON.stringify({ text: cut(`*${escapeSlack(subject)}*\n${escapeSlack(text)}`, maxSlack) }))
    case 'DISCORD': {
      // Without allowed mentions, a name such as @everyone in the text notifies no one.
      const message = { content: cut(`**${subject}**\n${text}`, maxDiscord), allowed_mentions: { parse: [] } }
      return json(JSON.stringify(message))
    }
    case 'TEAMS':
      return json(JSON.stringify(teamsCard(subject, cut(text, maxTeams))))
    case 'NTFY':
      return plain(cutBytes(`${subject}\n\n${text}`, maxNtfyBytes))
    case 'TEMPLATE':
      return fromTemplate(template ?? '', { subject, text, data })
  }
}

const json = (body: string) => ({ body, type: 'application/json' })
const plain = (body: string) => ({ body, type: 'text/plain; charset=utf-8' })

const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A message with an adaptive card. Its text blocks join single lines, so each line is a block. */
const teamsCard = (subject: string, text: string) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          { type: 'TextBlock', text: subject, weight: 'Bolder', wrap: true },
          { type: 'TextBlock', text: text.replaceAll('\n', '\n\n'), wrap: true },
        ],
      },
    },
  ],
})

/** In a template that is JSON, values are escaped for JSON texts, and `{{data}}` outside of quotes is the data itself. */
function fromTemplate(template: string, content: WebhookContent) {
  const filled = fillTemplate(template, (name) => escapeJson(content[name]))
  if (isJson(filled)) return json(filled)
  const withData = fillTemplate(template, (name) => (name === 'data' ? content.data : escapeJson(content[name])))
  return isJson(withData) ? json(withData) : plain(fillTemplate(template, (name) => content[name]))
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Cuts a text between characters, and marks that. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${cleanText(text, max - 1)}…`
}

function cutBytes(text: string, max: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= max) return text
  return `${new TextDecoder().decode(bytes.subarray(0, max - 3)).replace(/\uFFFD+$/, '')}…`
}
