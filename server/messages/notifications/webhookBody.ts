import { cleanText } from '#events/contract/cleanText.ts'
import { type BodyFormat, fillTemplate } from '#events/notifications/webhooks.ts'
import { productName } from '#server/platform/config.ts'
import { type Message, splitLink } from '#server/platform/mail/mailHtml.ts'

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
      return json(JSON.stringify(slackMessage(subject, splitLink(text))))
    case 'DISCORD':
      return json(JSON.stringify(discordMessage(subject, splitLink(text))))
    case 'TEAMS':
      return json(JSON.stringify(teamsCard(subject, splitLink(text))))
    case 'NTFY':
      return plain(cutBytes(`${subject}\n\n${text}`, maxNtfyBytes))
    case 'TEMPLATE':
      return fromTemplate(template ?? '', { subject, text, data })
  }
}

const json = (body: string) => ({ body, type: 'application/json' })
const plain = (body: string) => ({ body, type: 'text/plain; charset=utf-8' })

/**
 * A message of rich text, which Slack shows unchanged: its markup (mrkdwn) has no escapes. `text` is for push notifications, and for
 * services that only accept the simple form of Slack's messages, such as Mattermost.
 */
function slackMessage(subject: string, { words, link }: Message) {
  const shown = cut(words, maxSlack)
  const elements = [
    { type: 'text', text: subject, style: { bold: true } },
    { type: 'text', text: `\n${shown}\n` },
    ...(link ? [{ type: 'link', url: link }] : []),
  ]
  return {
    text: `*${withoutMarkup(subject)}*\n${withoutMarkup(shown)}${link ? `\n<${link}>` : ''}`,
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
  }
}

/** Separates characters of markup by a space without width. For an asterisk that isn't enough: it becomes another one. */
const withoutMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('*', '\u2217')
    .replace(/[_~`@\]]|:(?=\/\/)/g, '$&\u200b')

/** Without allowed mentions, a name such as @everyone notifies no one. */
function discordMessage(subject: string, { words, link }: Message) {
  const end = link ? `\n${link}` : ''
  const content = cut(`**${escapeMarkdown(subject)}**\n${escapeMarkdown(words)}`, maxDiscord - end.length) + end
  return { content, allowed_mentions: { parse: [] } }
}

const escapeMarkdown = (text: string): string => text.replace(/[\\*_~`|<>#[\]()@]|:(?=\/\/|\w+:)/g, String.raw`\$&`)

/**
 * A message with an adaptive card. Its runs of text have no markup; escapes in its text blocks look different on each platform. Each line
 * is a block.
 */
function teamsCard(subject: string, { words, link }: Message) {
  const lineOf = (text: string, style: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: text === '' ? ' ' : text, ...style }],
    spacing: 'None',
  })
  const lines = cut(words, maxTeams).split('\n')
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [lineOf(subject, { weight: 'Bolder' }), ...lines.map((line) => lineOf(line))],
    ...(link && { actions: [{ type: 'Action.OpenUrl', title: `Open in ${productName}`, url: link }] }),
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] }
}

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

/** Cuts a text to a number of bytes, between characters, and marks that. */
export function cutBytes(text: string, max: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= max) return text
  return `${new TextDecoder().decode(bytes.subarray(0, max - 3)).replace(/\uFFFD+$/, '')}…`
}
